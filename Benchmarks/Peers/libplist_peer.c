// libplist as a peer: `read LIST` or `write LIST [FOLDER]`, as Sources/Racing describes it.
#include <inttypes.h>
#include <plist/plist.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  char *bytes;
  uint32_t count;
} Bytes;

typedef struct {
  uint64_t values, text_bytes, data_bytes;
} Tally;

static void fail(const char *what, const char *path) {
  fprintf(stderr, "libplist peer: %s: %s\n", what, path);
  exit(1);
}

static double cpu_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *allocate(size_t size) {
  void *memory = malloc(size > 0 ? size : 1);
  if (!memory) fail("out of memory", "");
  return memory;
}

static Bytes read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot open", path);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  if (size < 0 || size > (long)UINT32_MAX - 1) fail("size out of range", path);
  Bytes result = {allocate((size_t)size + 1), (uint32_t)size};
  if (fread(result.bytes, 1, result.count, file) != result.count) fail("cannot read", path);
  result.bytes[result.count] = 0;
  fclose(file);
  return result;
}

static bool is_binary(Bytes file) { return file.count > 6 && memcmp(file.bytes, "bplist", 6) == 0; }

static plist_t read_tree(const char *path, bool *binary) {
  Bytes file = read_file(path);
  plist_t tree = NULL;
  *binary = is_binary(file);
  if (*binary) {
    plist_from_bin(file.bytes, file.count, &tree);
  } else {
    plist_from_xml(file.bytes, file.count, &tree);
  }
  if (!tree) fail("cannot parse", path);
  free(file.bytes);
  return tree;
}

static Bytes write_tree(plist_t tree, bool binary) {
  Bytes result = {NULL, 0};
  if (binary) {
    plist_to_bin(tree, &result.bytes, &result.count);
  } else {
    plist_to_xml(tree, &result.bytes, &result.count);
  }
  if (!result.bytes) fail("cannot encode", "");
  return result;
}

static void count(plist_t tree, Tally *tally) {
  tally->values += 1;
  switch (plist_get_node_type(tree)) {
    case PLIST_STRING: {
      uint64_t length = 0;
      plist_get_string_ptr(tree, &length);
      tally->text_bytes += length;
      break;
    }
    case PLIST_DATA: {
      uint64_t length = 0;
      plist_get_data_ptr(tree, &length);
      tally->data_bytes += length;
      break;
    }
    case PLIST_ARRAY: {
      plist_array_iter place = NULL;
      plist_t item = NULL;
      plist_array_new_iter(tree, &place);
      for (plist_array_next_item(tree, place, &item); item; plist_array_next_item(tree, place, &item)) {
        count(item, tally);
      }
      free(place);
      break;
    }
    case PLIST_DICT: {
      plist_dict_iter place = NULL;
      plist_t item = NULL;
      char *key = NULL;
      plist_dict_new_iter(tree, &place);
      for (plist_dict_next_item(tree, place, &key, &item); item; plist_dict_next_item(tree, place, &key, &item)) {
        tally->text_bytes += strlen(key);
        free(key);
        count(item, tally);
      }
      free(place);
      break;
    }
    default:
      break;
  }
}

static void time_reading(char **paths, size_t path_count) {
  plist_t *trees = allocate(path_count * sizeof *trees);
  bool binary = false;
  double start = cpu_seconds();
  for (size_t i = 0; i < path_count; i++) trees[i] = read_tree(paths[i], &binary);
  double seconds = cpu_seconds() - start;
  Tally tally = {0, 0, 0};
  for (size_t i = 0; i < path_count; i++) count(trees[i], &tally);
  printf("%.9f %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", seconds, tally.values, tally.text_bytes, tally.data_bytes);
}

static void time_writing(char **paths, size_t path_count, const char *folder) {
  plist_t *trees = allocate(path_count * sizeof *trees);
  bool *binary = allocate(path_count * sizeof *binary);
  Bytes *outputs = allocate(path_count * sizeof *outputs);
  for (size_t i = 0; i < path_count; i++) trees[i] = read_tree(paths[i], &binary[i]);
  double start = cpu_seconds();
  for (size_t i = 0; i < path_count; i++) outputs[i] = write_tree(trees[i], binary[i]);
  double seconds = cpu_seconds() - start;
  uint64_t total = 0;
  for (size_t i = 0; i < path_count; i++) {
    total += outputs[i].count;
    if (!folder) continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%zu", folder, i);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(outputs[i].bytes, 1, outputs[i].count, file) != outputs[i].count || fclose(file) != 0) {
      fail("cannot write", path);
    }
  }
  printf("%.9f %" PRIu64 "\n", seconds, total);
}

int main(int argument_count, char **arguments) {
  if (argument_count < 3) fail("usage: read LIST | write LIST [FOLDER]", arguments[0]);
  Bytes list = read_file(arguments[2]);
  size_t path_count = 0, room = 16;
  char **paths = allocate(room * sizeof *paths);
  for (char *path = strtok(list.bytes, "\n"); path; path = strtok(NULL, "\n")) {
    if (path_count == room) {
      room *= 2;
      paths = realloc(paths, room * sizeof *paths);
      if (!paths) fail("out of memory", "");
    }
    paths[path_count++] = path;
  }
  if (strcmp(arguments[1], "read") == 0) {
    time_reading(paths, path_count);
  } else {
    time_writing(paths, path_count, argument_count > 3 ? arguments[3] : NULL);
  }
  return 0;
}
