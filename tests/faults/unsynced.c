/* Notes what a crash of the machine would take back, for tests (LD_PRELOAD; see tests/faults/machine.py).

   Before a program writes to a file under $CRASH_FOLDER, or shortens it, what stood there is appended to
   $CRASH_NOTES/INODE. Once the file is synced nothing of it can be taken back, and its notes are thrown away. A
   removed file has none. A note: offset, size of the file before, number of bytes (three 64-bit numbers), bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) __extension__ ((__typeof__(&name))real(#name))

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

static void name_of_notes(char *name, size_t size, const struct stat *file) {
    snprintf(name, size, "%s/%llu", getenv("CRASH_NOTES"), (unsigned long long)file->st_ino);
}

/* Whether a file is one of those that are watched. */
static int is_watched(int fd, struct stat *file) {
    const char *folder = getenv("CRASH_FOLDER");
    char link[64], path[4096];
    if (!folder || fstat(fd, file) != 0 || !S_ISREG(file->st_mode)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0 && path[strlen(folder)] == '/';
}

static void note(int fd, off_t offset, size_t count) {
    struct stat file;
    int before = errno;
    if (is_watched(fd, &file)) {
        size_t old = offset < file.st_size ? (size_t)(file.st_size - offset) : 0;
        if (old > count) old = count;
        char *bytes = malloc(old + 1), name[4096];
        /* Never by another descriptor: closing that would give the file's locks away. */
        if (!bytes || (old && pread(fd, bytes, old, offset) != (ssize_t)old)) abort();
        int64_t head[3] = {offset, file.st_size, (int64_t)old};
        struct iovec parts[2] = {{head, sizeof head}, {bytes, old}};
        name_of_notes(name, sizeof name, &file);
        int notes = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (notes < 0 || REAL(writev)(notes, parts, 2) != (ssize_t)(sizeof head + old)) abort();
        close(notes);
        free(bytes);
    }
    errno = before;
}

static off_t place_of(int fd) {
    struct stat file;
    if (fcntl(fd, F_GETFL) & O_APPEND) return fstat(fd, &file) == 0 ? file.st_size : 0;
    off_t place = lseek(fd, 0, SEEK_CUR);
    return place < 0 ? 0 : place;
}

static void forget(const struct stat *file) {
    char name[4096];
    int before = errno;
    name_of_notes(name, sizeof name, file);
    REAL(unlink)(name);
    errno = before;
}

ssize_t write(int fd, const void *bytes, size_t count) {
    note(fd, place_of(fd), count);
    return REAL(write)(fd, bytes, count);
}

ssize_t writev(int fd, const struct iovec *parts, int number) {
    size_t count = 0;
    for (int part = 0; part < number; part++) count += parts[part].iov_len;
    note(fd, place_of(fd), count);
    return REAL(writev)(fd, parts, number);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    note(fd, offset, count);
    return REAL(pwrite)(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    note(fd, offset, count);
    return REAL(pwrite64)(fd, bytes, count, offset);
}

int ftruncate(int fd, off_t size) {
    note(fd, size, SIZE_MAX);
    return REAL(ftruncate)(fd, size);
}

int ftruncate64(int fd, off64_t size) {
    note(fd, size, SIZE_MAX);
    return REAL(ftruncate64)(fd, size);
}

int fsync(int fd) {
    struct stat file;
    int done = REAL(fsync)(fd);
    if (done == 0 && is_watched(fd, &file)) forget(&file);
    return done;
}

int fdatasync(int fd) {
    struct stat file;
    int done = REAL(fdatasync)(fd);
    if (done == 0 && is_watched(fd, &file)) forget(&file);
    return done;
}

int unlink(const char *path) {
    struct stat file;
    int is_there = getenv("CRASH_FOLDER") && lstat(path, &file) == 0 && S_ISREG(file.st_mode);
    int done = REAL(unlink)(path);
    if (is_there && done == 0) forget(&file);
    return done;
}
