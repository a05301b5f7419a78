"""A file that takes the place of its target when it is complete, as the library's outputs do: before that, and after any
error or signal, the target is as it was. Where the file system can, the file has no name until then."""

import errno
import os
import stat
import tempfile

from . import Error


class OutputFile:
    """`file` takes the bytes. finish() or discard() ends it."""

    def __init__(self, path):
        self.path = os.fsdecode(path)
        self._target = os.path.realpath(self.path)
        self._temporary = None
        self._is_in_place = False
        try:
            self.file = os.fdopen(self._open(), "wb", buffering=1 << 20)
        except OSError as error:
            raise self.error(error) from None

    def error(self, cause):
        """What is to be said of an OSError while this is written."""
        return Error(f"cannot write '{self.path}': {cause.strerror or cause}; nothing was changed")

    def finish(self):
        """Puts the complete file in place."""
        try:
            self.file.flush()
            if not self._is_in_place:
                self._put_in_place()
            self.file.close()
        except OSError as error:
            self.discard()
            raise self.error(error) from None

    def discard(self):
        """Removes what was written."""
        try:
            self.file.close()
        except OSError:
            pass  # what a full disk did not take
        if self._temporary is not None:
            os.unlink(self._temporary)
            self._temporary = None

    def _open(self):
        status = self._status()
        if status is not None and not stat.S_ISREG(status.st_mode):
            # Pipes and devices have no complete state. A directory is refused here.
            self._is_in_place = True
            return os.open(self._target, os.O_WRONLY | os.O_CLOEXEC)
        if status is not None and not os.access(self._target, os.W_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        folder = os.path.dirname(self._target)
        try:
            return os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o666 if status is None else 0o600)
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT) or not os.path.isdir(folder):
                raise
        descriptor, self._temporary = tempfile.mkstemp(prefix=self._prefix(), dir=folder)
        return descriptor

    def _status(self):
        try:
            return os.stat(self._target)
        except FileNotFoundError:
            return None

    def _prefix(self):
        return "." + os.path.basename(self._target)[:200] + ".sortie-"

    def _put_in_place(self):
        descriptor = self.file.fileno()
        self._adopt_permissions(descriptor)
        os.fsync(descriptor)
        folder = os.open(os.path.dirname(self._target), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            if self._temporary is None:
                self._take_name(descriptor, folder)
            os.replace(self._temporary, self._target)
            self._temporary = None
            os.fsync(folder)
        finally:
            os.close(folder)

    def _adopt_permissions(self, descriptor):
        status = self._status()
        if status is not None:
            if (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
                try:
                    os.fchown(descriptor, status.st_uid, status.st_gid)
                except PermissionError:
                    pass  # who replaces a file of others owns the new one
            os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
        elif self._temporary is not None:
            mask = os.umask(0)
            os.umask(mask)
            os.fchmod(descriptor, 0o666 & ~mask)

    def _take_name(self, descriptor, folder):
        while True:
            name = os.path.join(os.path.dirname(self._target), self._prefix() + os.urandom(4).hex())
            try:
                # Only with a folder does Python let the system follow the link to the file.
                os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=folder)
            except FileExistsError:
                continue
            self._temporary = name
            return
