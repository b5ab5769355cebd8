import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig, startServer, StartError } from '@account-import/server'
import test, { type ExecutionContext } from 'ava'
import { tempFolder } from '../support/temp-folder.js'

/** A folder that all users may look into, as a process makes it that does not think of them. */
const openFolder = async (t: ExecutionContext): Promise<string> => {
  const folder = join(await tempFolder(t), 'data')
  await mkdir(folder)
  await chmod(folder, 0o755)
  return folder
}

/** The service in this process, whose files others may read unless they are made otherwise. */
const startedIn = async (t: ExecutionContext, dataDir: string): Promise<void> => {
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }, 'serve')
  if (config._tag === 'Left') throw new Error(config.left.map(({ detail }) => detail).join())
  const server = await startServer(config.right)
  t.teardown(() => server.stop())
}

const modesIn = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const names = ['.', ...(await readdir(folder))]
  const modes = names.map(async (name) => {
    const { mode } = await stat(join(folder, name))
    return [name, (mode & 0o777).toString(8)] as const
  })
  return Object.fromEntries(await Promise.all(modes))
}

const expected = {
  '.': '700',
  'account-import.sqlite': '600',
  'account-import.sqlite-shm': '600',
  'account-import.sqlite-wal': '600',
  'audit-key': '600',
  documents: '700',
  'token-signing-key': '600',
}

test('the data folder and what is in it are their owner’s alone, also where another program starts the service', async (t) => {
  const folder = await openFolder(t)
  await startedIn(t, folder)
  t.deepEqual(await modesIn(folder), expected)
})

test('what an earlier run left open is closed', async (t) => {
  const folder = await openFolder(t)
  const key = join(folder, 'token-signing-key')
  await writeFile(key, Buffer.alloc(32, 7).toString('base64'), { mode: 0o644 })
  await writeFile(join(folder, 'account-import.sqlite'), '', { mode: 0o644 })
  await startedIn(t, folder)
  t.deepEqual(await modesIn(folder), expected)
})

test('an open folder that holds other things too is refused, and left as it is; a closed one is taken', async (t) => {
  const folder = await openFolder(t)
  await writeFile(join(folder, 'of-somebody-else'), '', { mode: 0o644 })
  const refused = await t.throwsAsync(startedIn(t, folder), { instanceOf: StartError })
  t.is(refused.code, 'data_folder_not_usable')
  t.regex(refused.message, /chmod 700/)
  t.deepEqual(await modesIn(folder), { '.': '755', 'of-somebody-else': '644' })
  await chmod(folder, 0o700)
  await startedIn(t, folder)
  t.deepEqual(await modesIn(folder), { ...expected, 'of-somebody-else': '644' })
})
