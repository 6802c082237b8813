// What tests need of the system that Windows hasn't: signals that a process can catch, that stop it and let it go on, a shell
// of its own kind, limits and rights of files.

export const isPosix = process.platform !== 'win32';
