// The part of libarchive's stable interface that is used here. Declared by ourselves: the library is looked for when an
// archive is opened, so neither its headers nor the library itself are needed to build.
#ifndef CCARRYOVER_ARCHIVE_LIBRARY_H
#define CCARRYOVER_ARCHIVE_LIBRARY_H

#include "CCarryoverArchive.h"

#include <sys/types.h>

typedef struct archive la_archive;
typedef struct archive_entry la_entry;
typedef ssize_t la_read(la_archive *, void *, const void **);
typedef int64_t la_skip(la_archive *, void *, int64_t);
typedef int64_t la_seek(la_archive *, void *, int64_t, int);
typedef int la_plain(la_archive *);

struct carryover_archive_library {
  la_archive *(*new_reader)(void);
  la_plain *free_reader;
  la_plain *open;
  la_plain *skip_data;
  la_plain *support_zip;
  la_plain *support_tar;
  la_plain *support_raw;
  // Puts one decompressor, named by its number, around a reader, which then tries no other.
  int (*append_filter)(la_archive *, int);
  // Whether this library has the decompressor inside, by form; without it, it would start a program.
  bool has_filter[carryover_archive_zstd_tar + 1];
  int (*set_options)(la_archive *, const char *);
  int (*set_read)(la_archive *, la_read *);
  int (*set_skip)(la_archive *, la_skip *);
  int (*set_seek)(la_archive *, la_seek *);
  int (*set_data)(la_archive *, void *);
  int (*next_header)(la_archive *, la_entry **);
  int (*data_block)(la_archive *, const void **, size_t *, int64_t *);
  int64_t (*header_position)(la_archive *);
  int64_t (*filter_bytes)(la_archive *, int);
  const char *(*error_string)(la_archive *);
  // NULL where the library lacks it; nothing depends on it.
  const char *(*version_string)(void);
  const char *(*pathname)(la_entry *);
  const char *(*pathname_utf8)(la_entry *);
  const char *(*hardlink)(la_entry *);
  const char *(*symlink)(la_entry *);
  unsigned (*filetype)(la_entry *);
  int64_t (*size)(la_entry *);
  int (*is_encrypted)(la_entry *);
};

#endif
