#include "library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { la_ok = 0 };

// Nothing here. The static command defines it again and has the library inside, because it can load none:
// Packaging/static.py.
__attribute__((weak)) void *carryover_archive_linked(const char *name) {
  (void)name;
  return NULL;
}

// Without a handle, the library is inside.
static bool find(void *handle, const char *name, void *place) {
  void *symbol = handle == NULL ? carryover_archive_linked(name) : dlsym(handle, name);
  // POSIX promises that a function's address fits an object pointer; C does not let one be assigned to the other.
  memcpy(place, &symbol, sizeof symbol);
  return symbol != NULL;
}

// Without a decompressor of its own, the library would run a program of that name; it says so with a warning. It is asked
// by a reader that reads nothing.
static bool has_filter(const carryover_archive_library *library, void *handle, const char *name) {
  la_plain *support = NULL;
  la_archive *probe = library->new_reader();
  bool has = probe != NULL && find(handle, name, &support) && support(probe) == la_ok;
  if (probe != NULL) library->free_reader(probe);
  return has;
}

carryover_archive_library *carryover_archive_library_load(const char *name) {
  bool linked = carryover_archive_linked("archive_read_new") != NULL;
  void *handle = linked ? NULL : dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL && !linked) return NULL;
  carryover_archive_library *library = calloc(1, sizeof *library);
  if (library == NULL) return NULL;
  bool complete = find(handle, "archive_read_new", &library->new_reader)
    && find(handle, "archive_read_free", &library->free_reader)
    && find(handle, "archive_read_open1", &library->open)
    && find(handle, "archive_read_data_skip", &library->skip_data)
    && find(handle, "archive_read_support_format_zip_seekable", &library->support_zip)
    && find(handle, "archive_read_support_format_tar", &library->support_tar)
    && find(handle, "archive_read_support_format_raw", &library->support_raw)
    && find(handle, "archive_read_append_filter", &library->append_filter)
    && find(handle, "archive_read_set_options", &library->set_options)
    && find(handle, "archive_read_set_read_callback", &library->set_read)
    && find(handle, "archive_read_set_skip_callback", &library->set_skip)
    && find(handle, "archive_read_set_seek_callback", &library->set_seek)
    && find(handle, "archive_read_set_callback_data", &library->set_data)
    && find(handle, "archive_read_next_header", &library->next_header)
    && find(handle, "archive_read_data_block", &library->data_block)
    && find(handle, "archive_read_header_position", &library->header_position)
    && find(handle, "archive_filter_bytes", &library->filter_bytes)
    && find(handle, "archive_error_string", &library->error_string)
    && find(handle, "archive_entry_pathname", &library->pathname)
    && find(handle, "archive_entry_pathname_utf8", &library->pathname_utf8)
    && find(handle, "archive_entry_hardlink", &library->hardlink)
    && find(handle, "archive_entry_symlink", &library->symlink)
    && find(handle, "archive_entry_filetype", &library->filetype)
    && find(handle, "archive_entry_size", &library->size)
    && find(handle, "archive_entry_is_encrypted", &library->is_encrypted);
  if (!complete) {
    free(library);
    return NULL;
  }
  find(handle, "archive_version_string", &library->version_string);
  library->has_filter[carryover_archive_gzip_tar] = has_filter(library, handle, "archive_read_support_filter_gzip");
  library->has_filter[carryover_archive_bzip2_tar] = has_filter(library, handle, "archive_read_support_filter_bzip2");
  library->has_filter[carryover_archive_xz_tar] = has_filter(library, handle, "archive_read_support_filter_xz");
  library->has_filter[carryover_archive_zstd_tar] = has_filter(library, handle, "archive_read_support_filter_zstd");
  return library;
}

const char *carryover_archive_library_version(const carryover_archive_library *library) {
  return library->version_string == NULL ? NULL : library->version_string();
}

void carryover_archive_library_free(carryover_archive_library *library) { free(library); }
