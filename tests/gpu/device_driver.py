"""Memory and streams of a GPU by CUDA's driver, without any library: for tests of arrays that have
`__cuda_array_interface__` and nothing else."""

import ctypes

import numpy


class Driver:
    """The first GPU's primary context, which the libraries use, too."""
    _USED_BYTES = 7  # CU_MEMPOOL_ATTR_USED_MEM_CURRENT

    def __init__(self):
        self._cuda = ctypes.CDLL("libcuda.so.1")
        device = ctypes.c_int()
        self._context = ctypes.c_void_p()
        self._call("cuInit", 0)
        self._call("cuDeviceGet", ctypes.byref(device), 0)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), device)

    def _call(self, name, *arguments):
        code = getattr(self._cuda, name)(*arguments)
        assert code == 0, f"{name} returned {code}"

    def _use(self):
        """The context belongs to a thread."""
        self._call("cuCtxSetCurrent", self._context)

    def allocate(self, bytes):
        self._use()
        address = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(bytes, 1)))
        return address.value

    def free(self, address):
        self._use()
        self._call("cuMemFree_v2", ctypes.c_uint64(address))

    def to_device(self, address, values):
        self._use()
        if values.nbytes:
            self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), ctypes.c_void_p(values.ctypes.data),
                       ctypes.c_size_t(values.nbytes))

    def to_host(self, address, dtype, shape):
        self._use()
        values = numpy.empty(shape, dtype)
        if values.nbytes:
            self._call("cuMemcpyDtoH_v2", ctypes.c_void_p(values.ctypes.data), ctypes.c_uint64(address),
                       ctypes.c_size_t(values.nbytes))
        return values

    def copy(self, target, source, stream):
        self._use()
        self._call("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(target.address), ctypes.c_uint64(source.address),
                   ctypes.c_size_t(source.bytes), ctypes.c_void_p(stream))

    def stream(self):
        """One that does not wait for the default stream."""
        self._use()
        stream = ctypes.c_void_p()
        self._call("cuStreamCreate", ctypes.byref(stream), 1)
        return stream.value

    def synchronize(self, stream=None):
        """stream: None for all of them."""
        self._use()
        if stream is None:
            self._call("cuCtxSynchronize")
        else:
            self._call("cuStreamSynchronize", ctypes.c_void_p(stream))

    def free_bytes(self):
        self._use()
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self._call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value

    def pool_bytes(self):
        """What this process holds of the memory that is taken in the order of streams: other processes do not count."""
        self._use()
        device, pool, used = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
        self._call("cuCtxGetDevice", ctypes.byref(device))
        self._call("cuDeviceGetDefaultMemPool", ctypes.byref(pool), device)
        self._call("cuMemPoolGetAttribute", pool, self._USED_BYTES, ctypes.byref(used))
        return used.value

    def reserved(self, bytes):
        """An array of bytes that hold anything."""
        return Plain(self, numpy.empty(0, "uint8"), bytes)


class Plain:
    """An array of one or two dimensions in memory of its own."""

    def __init__(self, driver, values, bytes=None):
        self.driver, self.stream, self.owner = driver, None, None
        self.bytes = values.nbytes if bytes is None else bytes
        self.shape, self.typestr = values.shape if bytes is None else (bytes,), values.dtype.str
        self.address = driver.allocate(self.bytes)
        driver.to_device(self.address, numpy.ascontiguousarray(values))

    @classmethod
    def on_host(cls, values):
        self = cls.__new__(cls)
        self.driver, self.stream, self.owner = None, None, values
        self.shape, self.typestr = values.shape, values.dtype.str
        self.address, self.bytes = values.ctypes.data, values.nbytes
        return self

    def part(self, skipped):
        """The items but the first, in the same memory."""
        part = Plain.__new__(Plain)
        item_bytes = numpy.dtype(self.typestr).itemsize
        part.driver, part.stream, part.owner, part.typestr = self.driver, self.stream, self, self.typestr
        part.shape, part.address = (self.shape[0] - skipped,), self.address + skipped * item_bytes
        part.bytes = self.bytes - skipped * item_bytes
        return part

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.typestr, "version": 3, "strides": None, "stream": self.stream,
                "data": (self.address, False)}

    def free(self):
        if self.owner is None and self.address:
            self.driver.free(self.address)
            self.address = 0

    def __del__(self):
        self.free()
