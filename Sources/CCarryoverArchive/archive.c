#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CCarryoverArchive.h"

#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

typedef struct archive la_archive;
typedef struct archive_entry la_entry;
typedef ssize_t la_read(la_archive *, void *, const void **);
typedef int64_t la_skip(la_archive *, void *, int64_t);
typedef int64_t la_seek(la_archive *, void *, int64_t, int);

// The part of libarchive's stable interface that is used here. It is declared here because the library is loaded only
// when an archive is opened: a build needs neither its headers nor the library.
#define FUNCTIONS(X) \
  X(la_archive *, archive_read_new, (void)) \
  X(int, archive_read_free, (la_archive *)) \
  X(int, archive_read_open1, (la_archive *)) \
  X(int, archive_read_data_skip, (la_archive *)) \
  X(int, archive_read_support_format_zip_seekable, (la_archive *)) \
  X(int, archive_read_support_format_tar, (la_archive *)) \
  X(int, archive_read_support_format_raw, (la_archive *)) \
  /* Puts one decompressor, named by its number, around a reader, which then tries no other. */ \
  X(int, archive_read_append_filter, (la_archive *, int)) \
  X(int, archive_read_set_options, (la_archive *, const char *)) \
  X(int, archive_read_set_read_callback, (la_archive *, la_read *)) \
  X(int, archive_read_set_skip_callback, (la_archive *, la_skip *)) \
  X(int, archive_read_set_seek_callback, (la_archive *, la_seek *)) \
  X(int, archive_read_set_callback_data, (la_archive *, void *)) \
  X(int, archive_read_next_header, (la_archive *, la_entry **)) \
  X(int, archive_read_data_block, (la_archive *, const void **, size_t *, int64_t *)) \
  X(int64_t, archive_read_header_position, (la_archive *)) \
  X(int64_t, archive_filter_bytes, (la_archive *, int)) \
  X(const char *, archive_error_string, (la_archive *)) \
  X(const char *, archive_entry_pathname, (la_entry *)) \
  X(const char *, archive_entry_pathname_utf8, (la_entry *)) \
  X(const char *, archive_entry_hardlink, (la_entry *)) \
  X(const char *, archive_entry_symlink, (la_entry *)) \
  X(unsigned, archive_entry_filetype, (la_entry *)) \
  X(int64_t, archive_entry_size, (la_entry *)) \
  X(int, archive_entry_is_encrypted, (la_entry *))

struct carryover_archive_library {
#define MEMBER(result, name, parameters) result(*name) parameters;
  FUNCTIONS(MEMBER)
  // NULL if the library lacks it; nothing depends on it.
  const char *(*archive_version_string)(void);
  // NULL if the library is linked in.
  void *handle;
};

// Finds nothing. The static command cannot load a library, so it links libarchive and overrides this function:
// Packaging/static.py.
__attribute__((weak)) void *carryover_archive_linked(const char *name) {
  (void)name;
  return NULL;
}

static bool find(void *handle, const char *name, void *place) {
  void *symbol = handle == NULL ? carryover_archive_linked(name) : dlsym(handle, name);
  // POSIX promises that a function's address fits an object pointer; C does not let one be assigned to the other.
  memcpy(place, &symbol, sizeof symbol);
  return symbol != NULL;
}

carryover_archive_library *carryover_archive_library_load(const char *name) {
  bool linked = carryover_archive_linked("archive_read_new") != NULL;
  void *handle = linked ? NULL : dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL && !linked) return NULL;
  carryover_archive_library *library = calloc(1, sizeof *library);
  if (library == NULL) return NULL;
#define AND_FOUND(result, name, parameters) &&find(handle, #name, &library->name)
  if (!(true FUNCTIONS(AND_FOUND))) {
    free(library);
    return NULL;
  }
  find(handle, "archive_version_string", &library->archive_version_string);
  library->handle = handle;
  return library;
}

const char *carryover_archive_library_version(const carryover_archive_library *library) {
  return library->archive_version_string == NULL ? NULL : library->archive_version_string();
}

void carryover_archive_library_free(carryover_archive_library *library) { free(library); }

enum { la_eof = 1, la_ok = 0, la_warn = -20, la_fatal = -30, buffer_size = 1 << 16, beginning_size = 512 };

// Decompressors by form, with the library's numbers, which are part of its interface.
static const struct {
  int number;
  const char *support;
} filters[] = {
    [carryover_archive_gzip_tar] = {1, "archive_read_support_filter_gzip"},
    [carryover_archive_bzip2_tar] = {2, "archive_read_support_filter_bzip2"},
    [carryover_archive_xz_tar] = {6, "archive_read_support_filter_xz"},
    [carryover_archive_zstd_tar] = {14, "archive_read_support_filter_zstd"},
};

// Without a decompressor of its own, the library would run a program of that name; it says so with a warning. It is asked
// by a reader that reads nothing.
static bool has_filter(const carryover_archive_library *library, carryover_archive_form form) {
  int (*support)(la_archive *) = NULL;
  la_archive *probe = library->archive_read_new();
  bool has = probe != NULL && find(library->handle, filters[form].support, &support) && support(probe) == la_ok;
  if (probe != NULL) library->archive_read_free(probe);
  return has;
}

struct carryover_archive {
  const carryover_archive_library *library;
  la_archive *reader;
  // What decompresses the file, where it is compressed; the reader then gets what comes out of it.
  la_archive *source;
  bool source_failed;
  int64_t produced;
  unsigned char beginning[beginning_size];
  size_t beginning_count;
  int descriptor;
  int64_t size;
  int64_t position;
  int64_t furthest;
  int64_t allowance;
  bool over_allowance;
  locale_t locale;
  unsigned char buffer[buffer_size];
};

// The library converts the names that an archive calls UTF-8 to the locale's characters, and in the C locale loses them.
// The locale of this thread alone is changed, and only while the library works.
static locale_t enter(const carryover_archive *archive) {
  return archive->locale == (locale_t)0 ? (locale_t)0 : uselocale(archive->locale);
}

static void leave(locale_t before) {
  if (before != (locale_t)0) uselocale(before);
}

static locale_t utf8_locale(void) {
  static const char *const names[] = {"C.UTF-8", "UTF-8", "en_US.UTF-8"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    locale_t found = newlocale(LC_CTYPE_MASK, names[index], (locale_t)0);
    if (found != (locale_t)0) return found;
  }
  return (locale_t)0;
}

static void moved(carryover_archive *archive, int64_t position) {
  archive->position = position;
  if (position > archive->furthest) archive->furthest = position;
}

static bool is_over_allowance(carryover_archive *archive) {
  if (archive->allowance <= 0) archive->over_allowance = true;
  return archive->over_allowance;
}

static ssize_t read_file(la_archive *reader, void *data, const void **bytes) {
  (void)reader;
  carryover_archive *archive = data;
  if (archive->source == NULL && is_over_allowance(archive)) return -1;
  ssize_t count;
  do count = read(archive->descriptor, archive->buffer, buffer_size);
  while (count < 0 && errno == EINTR);
  if (count < 0) return -1;
  if (archive->source == NULL) archive->allowance -= count;
  moved(archive, archive->position + count);
  *bytes = archive->buffer;
  return count;
}

static void keep_beginning(carryover_archive *archive, const void *bytes, size_t count) {
  size_t room = beginning_size - archive->beginning_count;
  if (count > room) count = room;
  memcpy(archive->beginning + archive->beginning_count, bytes, count);
  archive->beginning_count += count;
}

// Between decompressing and the tar reader, so that what the reader may take in at once is bounded by what it gets: a few
// bytes can decompress to a header that fills the memory.
static ssize_t read_source(la_archive *reader, void *data, const void **bytes) {
  (void)reader;
  carryover_archive *archive = data;
  if (is_over_allowance(archive)) return -1;
  for (;;) {
    size_t count = 0;
    int64_t offset = 0;
    int status = archive->library->archive_read_data_block(archive->source, bytes, &count, &offset);
    if (status == la_eof) return 0;
    if (status != la_ok) {
      archive->source_failed = true;
      return -1;
    }
    if (count == 0) continue;
    archive->allowance -= (int64_t)count;
    archive->produced += (int64_t)count;
    keep_beginning(archive, *bytes, count);
    return (ssize_t)count;
  }
}

// Beyond the end there is nothing to pass over: the library then finds out that the file is cut off.
static int64_t skip_file(la_archive *reader, void *data, int64_t request) {
  (void)reader;
  carryover_archive *archive = data;
  int64_t rest = archive->size - archive->position;
  if (request > rest) request = rest;
  if (request <= 0 || lseek(archive->descriptor, request, SEEK_CUR) < 0) return 0;
  moved(archive, archive->position + request);
  return request;
}

static int64_t seek_file(la_archive *reader, void *data, int64_t offset, int whence) {
  (void)reader;
  carryover_archive *archive = data;
  int64_t position = lseek(archive->descriptor, offset, whence);
  if (position < 0) return la_fatal;
  archive->position = position;
  return position;
}

static void read_from_file(carryover_archive *archive, la_archive *reader) {
  archive->library->archive_read_set_read_callback(reader, read_file);
  archive->library->archive_read_set_skip_callback(reader, skip_file);
  archive->library->archive_read_set_seek_callback(reader, seek_file);
  archive->library->archive_read_set_callback_data(reader, archive);
}

// Where the library may choose among decompressors, it puts one around the other as long as what comes out looks
// compressed. A file that decompresses to itself then fills the memory before a byte of it can be counted.
static bool prepare_source(carryover_archive *archive, carryover_archive_form form) {
  const carryover_archive_library *library = archive->library;
  if (!has_filter(library, form)) return false;
  archive->source = library->archive_read_new();
  if (archive->source == NULL) return false;
  if (library->archive_read_append_filter(archive->source, filters[form].number) != la_ok) return false;
  library->archive_read_support_format_raw(archive->source);
  read_from_file(archive, archive->source);
  library->archive_read_set_read_callback(archive->reader, read_source);
  library->archive_read_set_callback_data(archive->reader, archive);
  return true;
}

carryover_archive *carryover_archive_new(
    carryover_archive_library *library, int descriptor, int64_t size, carryover_archive_form form) {
  carryover_archive *archive = calloc(1, sizeof *archive);
  if (archive == NULL) return NULL;
  archive->library = library;
  archive->descriptor = descriptor;
  archive->size = size;
  archive->locale = utf8_locale();
  archive->reader = library->archive_read_new();
  bool is_compressed = filters[form].number != 0;
  if (archive->reader == NULL || (is_compressed && !prepare_source(archive, form))) {
    carryover_archive_free(archive);
    return NULL;
  }
  if (form == carryover_archive_zip) library->archive_read_support_format_zip_seekable(archive->reader);
  else library->archive_read_support_format_tar(archive->reader);
  // Apple's library would join what macOS keeps beside a file with it; here it is left out, the same everywhere. A
  // library that does not know the option does not do it either.
  library->archive_read_set_options(archive->reader, form == carryover_archive_zip ? "zip:!mac-ext" : "tar:!mac-ext");
  if (archive->source == NULL) read_from_file(archive, archive->reader);
  return archive;
}

void carryover_archive_free(carryover_archive *archive) {
  if (archive->reader != NULL) archive->library->archive_read_free(archive->reader);
  if (archive->source != NULL) archive->library->archive_read_free(archive->source);
  if (archive->locale != (locale_t)0) freelocale(archive->locale);
  free(archive);
}

static bool is_usable(int status) { return status == la_ok || status == la_warn; }

bool carryover_archive_begin(carryover_archive *archive) {
  const carryover_archive_library *library = archive->library;
  la_entry *whole = NULL;
  archive->allowance = INT64_MAX;
  if (archive->source != NULL
      && (!is_usable(library->archive_read_open1(archive->source))
          || !is_usable(library->archive_read_next_header(archive->source, &whole))))
    return false;
  locale_t before = enter(archive);
  int status = library->archive_read_open1(archive->reader);
  leave(before);
  return is_usable(status);
}

static carryover_archive_kind kind(unsigned type) {
  switch (type) {
  case S_IFREG: return carryover_archive_file;
  case S_IFDIR: return carryover_archive_folder;
  case S_IFLNK: return carryover_archive_symlink;
  // The library gives no type to what it cannot put anywhere: in a tar archive, the rest of another volume's last file.
  case 0: return carryover_archive_part;
  default: return carryover_archive_special;
  }
}

static void describe(const carryover_archive_library *library, la_entry *found, carryover_archive_entry *entry) {
  entry->name = library->archive_entry_pathname(found);
  if (entry->name == NULL) entry->name = library->archive_entry_pathname_utf8(found);
  entry->hard_link = library->archive_entry_hardlink(found);
  entry->kind = entry->hard_link != NULL ? carryover_archive_file : kind(library->archive_entry_filetype(found));
  entry->link = entry->kind == carryover_archive_symlink ? library->archive_entry_symlink(found) : NULL;
  entry->size = library->archive_entry_size(found);
  entry->encrypted = library->archive_entry_is_encrypted(found) != 0;
}

carryover_archive_step carryover_archive_next(
    carryover_archive *archive, int64_t allowance, carryover_archive_entry *entry) {
  la_entry *found = NULL;
  archive->allowance = allowance;
  locale_t before = enter(archive);
  int status = archive->library->archive_read_next_header(archive->reader, &found);
  bool more = is_usable(status) && found != NULL;
  if (more) describe(archive->library, found, entry);
  leave(before);
  archive->allowance = INT64_MAX;
  if (more) return carryover_archive_more;
  return status == la_eof ? carryover_archive_end : carryover_archive_failed;
}

carryover_archive_step carryover_archive_data(
    carryover_archive *archive, const void **bytes, size_t *count, int64_t *offset) {
  *bytes = NULL;
  *count = 0;
  *offset = 0;
  switch (archive->library->archive_read_data_block(archive->reader, bytes, count, offset)) {
  case la_ok: return carryover_archive_more;
  case la_eof: return carryover_archive_end;
  default: return carryover_archive_failed;
  }
}

bool carryover_archive_skip(carryover_archive *archive) {
  return archive->library->archive_read_data_skip(archive->reader) >= la_warn;
}

const unsigned char *carryover_archive_beginning(const carryover_archive *archive, size_t *count) {
  *count = archive->beginning_count;
  return archive->beginning;
}

int64_t carryover_archive_consumed(const carryover_archive *archive) { return archive->furthest; }

int64_t carryover_archive_produced(const carryover_archive *archive) { return archive->produced; }

// The last header looked for begins where the last entry ends; only a mark takes the reader beyond that place.
bool carryover_archive_has_end_mark(carryover_archive *archive) {
  const carryover_archive_library *library = archive->library;
  return library->archive_filter_bytes(archive->reader, 0) > library->archive_read_header_position(archive->reader);
}

bool carryover_archive_is_over_allowance(const carryover_archive *archive) { return archive->over_allowance; }

const char *carryover_archive_message(carryover_archive *archive) {
  const char *text = archive->library->archive_error_string(archive->source_failed ? archive->source : archive->reader);
  return text == NULL ? "" : text;
}
