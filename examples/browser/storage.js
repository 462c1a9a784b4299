// Where the database of worker.js is: in the origin's private file system (OPFS), where the browser has it, so that it is
// still there when the page is loaded again; else in the worker's memory. The page sees the file system that
// emscripten's C library has, with one more kind of folder in it, whose files are OPFS' own.
'use strict';

// Mounts /db and tells {kept: true} or {kept: false, why}. Files of a folder that OPFS holds have to be open before they are
// asked for, since opening takes a promise and SQLite does not wait for one: the database and its journal, which are all.
async function mountStorage() {
  FS.mkdir('/db');
  try {
    const folder = await navigator.storage.getDirectory();
    const handles = {};
    for (const name of ['database.db', 'database.db-journal']) {
      handles[name] = await (await folder.getFileHandle('s2v-' + name, {create: true})).createSyncAccessHandle();
    }
    if (typeof handles['database.db'].getSize() !== 'number') throw Error('this browser is too old');
    FS.mount(opfs(handles), {}, '/db');
    return {kept: true};
  } catch (error) {
    return {kept: false, why: error.name === 'NoModificationAllowedError' ? 'another tab has it open' :
                              !navigator.storage?.getDirectory ? 'this browser, or this address, has no storage for it' : error.message};
  }
}

// A file system of emscripten's over handles of OPFS. A file whose handle has no bytes does not exist: so it is for a journal,
// whose absence says that the last transaction ended.
function opfs(handles) {
  const kFile = 0o100666, kFolder = 0o40777, kUnknown = new FS.ErrnoError(44);  // ENOENT
  const node = (parent, name) => {
    const made = FS.createNode(parent, name, kFile, 0);
    return Object.assign(made, {timestamp: Date.now(), node_ops: ops, stream_ops: streams, handle: handles[name]});
  };
  const write = (handle, bytes, at) => {
    let count = 0;
    try {
      count = handle.write(bytes, {at});
    } catch {
    }
    if (count !== bytes.length) throw new FS.ErrnoError(51);  // ENOSPC: the quota is used up
    return count;
  };
  const ops = {
    getattr: ({id, mode, handle, timestamp}) => ({
      dev: 1, ino: id, mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: handle ? handle.getSize() : 0,
      atime: new Date(timestamp), mtime: new Date(timestamp), ctime: new Date(timestamp), blksize: 4096, blocks: 0,
    }),
    setattr({handle}, {size}) { if (size !== undefined) handle.truncate(size); },
    lookup(parent, name) {
      if (!handles[name]?.getSize()) throw kUnknown;
      return node(parent, name);
    },
    mknod(parent, name) {
      if (!handles[name]) throw new FS.ErrnoError(63);  // EPERM
      return node(parent, name);
    },
    unlink(parent, name) {
      handles[name].truncate(0);
      handles[name].flush();
    },
    readdir: () => ['.', '..', ...Object.keys(handles)],
  };
  const streams = {
    llseek: (stream, offset, from) => offset + [0, stream.position, stream.node.handle.getSize()][from],
    read: ({node}, heap, offset, length, at) => node.handle.read(heap.subarray(offset, offset + length), {at}),
    write: ({node}, heap, offset, length, at) => write(node.handle, heap.subarray(offset, offset + length), at),
    fsync({node}) {
      node.handle.flush();
      return 0;
    },
  };
  return {mount: () => Object.assign(FS.createNode(null, '/', kFolder, 0), {timestamp: Date.now(), node_ops: ops, stream_ops: {}})};
}
