// The folder of a store's file. Owns its syncing: only that makes the name of a new or renamed file durable.

import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { platform } from 'node:process';

export async function syncFolderOf(path: string): Promise<void> {
  // Windows opens no folders, and writes names by itself.
  if (platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
