#ifndef CCARRYOVER_ARCHIVE_H
#define CCARRYOVER_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// libarchive, loaded. It is never unloaded, so that nothing it still refers to goes away.
typedef struct carryover_archive_library carryover_archive_library;

/// One archive, open for reading from its start to its end.
typedef struct carryover_archive carryover_archive;

/// Loads the library by its file's name. NULL where there is none of that name, or where it lacks something.
carryover_archive_library *carryover_archive_library_load(const char *name);
void carryover_archive_library_free(carryover_archive_library *library);

/// The library's name and version, such as "libarchive 3.7.2". NULL where it does not tell.
const char *carryover_archive_library_version(const carryover_archive_library *library);

/// What an entry is.
typedef enum {
  carryover_archive_file,
  carryover_archive_folder,
  carryover_archive_symlink,
  /// A device, a pipe or a socket.
  carryover_archive_special,
  /// A part of a file that began in another volume.
  carryover_archive_part
} carryover_archive_kind;

/// An entry, valid until the next one is asked for.
typedef struct {
  /// Its name as the archive has it, as UTF-8 where the archive says that it is; NULL where it cannot be had.
  const char *name;
  /// Where a symbolic link leads; NULL for anything else.
  const char *link;
  /// The entry whose bytes this one shares; NULL for all but hard links.
  const char *hard_link;
  /// The size that the archive states; 0 where it states none.
  int64_t size;
  carryover_archive_kind kind;
  bool encrypted;
} carryover_archive_entry;

/// The outcome of a step.
typedef enum {
  carryover_archive_end = 0,
  carryover_archive_more = 1,
  carryover_archive_failed = -1
} carryover_archive_step;

/// The forms that are read. Nothing else is tried, and of a compressed one nothing but its own decompressor, once.
typedef enum {
  carryover_archive_zip,
  carryover_archive_tar,
  carryover_archive_gzip_tar,
  carryover_archive_bzip2_tar,
  carryover_archive_xz_tar,
  carryover_archive_zstd_tar
} carryover_archive_form;

/// Prepares an archive in an open file of a known size, which stays the caller's. NULL where memory is short, or where the
/// library lacks the decompressor.
carryover_archive *carryover_archive_new(
    carryover_archive_library *library, int descriptor, int64_t size, carryover_archive_form form);
void carryover_archive_free(carryover_archive *archive);

/// Reads the beginning. False where it is no archive of a known form.
bool carryover_archive_begin(carryover_archive *archive);

/// Goes to the next entry. Fails where more than `allowance` bytes, decompressed, would have to be read to find it.
carryover_archive_step carryover_archive_next(
    carryover_archive *archive, int64_t allowance, carryover_archive_entry *entry);

/// The next bytes of the entry and their place in it, valid until the next call. Between two of them, and after the last,
/// may be a hole in a sparse file.
carryover_archive_step carryover_archive_data(
    carryover_archive *archive, const void **bytes, size_t *count, int64_t *offset);

/// Passes over the rest of the entry.
bool carryover_archive_skip(carryover_archive *archive);

/// The first bytes that came out of the compression around the whole archive, valid as long as the archive; none where
/// there is no compression.
const unsigned char *carryover_archive_beginning(const carryover_archive *archive, size_t *count);
/// The place in the file up to which it was read.
int64_t carryover_archive_consumed(const carryover_archive *archive);
/// How many bytes have come out of the compression around the whole archive.
int64_t carryover_archive_produced(const carryover_archive *archive);
/// Whether the mark at the end of a tar archive was found, once its end was reached.
bool carryover_archive_has_end_mark(carryover_archive *archive);
/// Whether `allowance` was exceeded.
bool carryover_archive_is_over_allowance(const carryover_archive *archive);
/// The library's words for the last failure; may be empty.
const char *carryover_archive_message(carryover_archive *archive);

#endif
