#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "library.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

enum { la_eof = 1, la_ok = 0, la_warn = -20, la_zip = 0x50000, la_family = 0xff0000, buffer_size = 1 << 16 };

struct carryover_archive {
  const carryover_archive_library *library;
  la_archive *reader;
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

static ssize_t read_file(la_archive *reader, void *data, const void **bytes) {
  (void)reader;
  carryover_archive *archive = data;
  if (archive->allowance < buffer_size) {
    archive->over_allowance = true;
    return -1;
  }
  ssize_t count;
  do count = read(archive->descriptor, archive->buffer, buffer_size);
  while (count < 0 && errno == EINTR);
  if (count < 0) return -1;
  archive->allowance -= count;
  moved(archive, archive->position + count);
  *bytes = archive->buffer;
  return count;
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
  if (position < 0) return -30;
  archive->position = position;
  return position;
}

carryover_archive *carryover_archive_new(carryover_archive_library *library, int descriptor, int64_t size) {
  carryover_archive *archive = calloc(1, sizeof *archive);
  if (archive == NULL) return NULL;
  archive->library = library;
  archive->descriptor = descriptor;
  archive->size = size;
  archive->reader = library->new_reader();
  if (archive->reader == NULL) {
    free(archive);
    return NULL;
  }
  archive->locale = utf8_locale();
  library->support_zip(archive->reader);
  library->support_tar(archive->reader);
  for (size_t index = 0; index < sizeof library->filters / sizeof *library->filters; index++)
    if (library->filters[index] != NULL) library->filters[index](archive->reader);
  // Apple's library would join what macOS keeps beside a file with it; here it is left out, the same everywhere. A
  // library that does not know the option does not do it either.
  library->set_options(archive->reader, "zip:!mac-ext");
  library->set_options(archive->reader, "tar:!mac-ext");
  library->set_read(archive->reader, read_file);
  library->set_skip(archive->reader, skip_file);
  library->set_seek(archive->reader, seek_file);
  library->set_data(archive->reader, archive);
  return archive;
}

void carryover_archive_free(carryover_archive *archive) {
  archive->library->free_reader(archive->reader);
  if (archive->locale != (locale_t)0) freelocale(archive->locale);
  free(archive);
}

bool carryover_archive_begin(carryover_archive *archive) {
  archive->allowance = INT64_MAX;
  locale_t before = enter(archive);
  int status = archive->library->open(archive->reader);
  leave(before);
  return status == la_ok || status == la_warn;
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
  entry->name = library->pathname(found);
  if (entry->name == NULL) entry->name = library->pathname_utf8(found);
  entry->hard_link = library->hardlink(found);
  entry->kind = entry->hard_link != NULL ? carryover_archive_file : kind(library->filetype(found));
  entry->link = entry->kind == carryover_archive_symlink ? library->symlink(found) : NULL;
  entry->size = library->size(found);
  entry->encrypted = library->is_encrypted(found) != 0;
}

carryover_archive_step carryover_archive_next(
    carryover_archive *archive, int64_t allowance, carryover_archive_entry *entry) {
  la_entry *found = NULL;
  archive->allowance = allowance;
  locale_t before = enter(archive);
  int status = archive->library->next_header(archive->reader, &found);
  bool more = (status == la_ok || status == la_warn) && found != NULL;
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
  switch (archive->library->data_block(archive->reader, bytes, count, offset)) {
  case la_ok: return carryover_archive_more;
  case la_eof: return carryover_archive_end;
  default: return carryover_archive_failed;
  }
}

bool carryover_archive_skip(carryover_archive *archive) {
  return archive->library->skip_data(archive->reader) >= la_warn;
}

bool carryover_archive_is_zip(carryover_archive *archive) {
  return (archive->library->format(archive->reader) & la_family) == la_zip;
}

// The library counts the file itself as one.
int carryover_archive_compressions(carryover_archive *archive) {
  return archive->library->filter_count(archive->reader) - 1;
}

int64_t carryover_archive_consumed(const carryover_archive *archive) { return archive->furthest; }

int64_t carryover_archive_produced(carryover_archive *archive) {
  return archive->library->filter_bytes(archive->reader, 0);
}

// The last header looked for begins where the last entry ends; only a mark takes the reader beyond that place.
bool carryover_archive_has_end_mark(carryover_archive *archive) {
  return archive->library->filter_bytes(archive->reader, 0) > archive->library->header_position(archive->reader);
}

bool carryover_archive_is_over_allowance(const carryover_archive *archive) { return archive->over_allowance; }

const char *carryover_archive_message(carryover_archive *archive) {
  const char *text = archive->library->error_string(archive->reader);
  return text == NULL ? "" : text;
}
