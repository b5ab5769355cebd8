import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { folderDocuments } from '@account-import/adapter-object-storage'
import { tempFolder } from '../support/temp-folder.js'
import { sortedKeys } from '../support/sorted-keys.js'

test('links that lead out of the folder, nowhere or in circles are no documents; those inside are', async (t) => {
  const base = await tempFolder(t)
  const [folder, beside] = [join(base, 'documents'), join(base, 'documents-of-others')]
  for (const path of [folder, beside]) {
    await mkdir(path)
    await writeFile(join(path, 'one.pdf'), 'x')
  }
  await symlink(join(beside, 'one.pdf'), join(folder, 'file-outside.pdf'))
  await symlink('../documents-of-others', join(folder, 'folder-outside'))
  await symlink('nowhere', join(folder, 'dangling.pdf'))
  await symlink('circle.pdf', join(folder, 'circle.pdf'))
  await symlink('one.pdf', join(folder, 'inside.pdf'))
  const keys = [
    'file-outside.pdf',
    'folder-outside/one.pdf',
    'dangling.pdf',
    'circle.pdf',
    'inside.pdf',
    'one.pdf',
  ]
  t.deepEqual(sortedKeys(await folderDocuments(folder).existing(keys, 'LLUM')()), ['inside.pdf', 'one.pdf'])
})

test('the folder itself may be a link', async (t) => {
  const base = await tempFolder(t)
  await mkdir(join(base, 'real'))
  await writeFile(join(base, 'real', 'one.pdf'), 'x')
  await symlink('real', join(base, 'link'))
  const existing = await folderDocuments(join(base, 'link')).existing(['one.pdf'], 'LLUM')()
  t.deepEqual(existing, { _tag: 'Right', right: new Set(['one.pdf']) })
})

test('while the folder is missing nothing is called missing: the storage is unavailable, until it is back', async (t) => {
  const folder = join(await tempFolder(t), 'volume')
  const documents = folderDocuments(folder)
  const existing = documents.existing(['secret-name.pdf'], 'LLUM')
  const failed = await existing()
  t.like(failed, {
    _tag: 'Left',
    left: { kind: 'unavailable', port: 'documents', operation: 'existing', cause: { code: 'ENOENT' } },
  })
  await mkdir(folder)
  await writeFile(join(folder, 'secret-name.pdf'), 'x')
  t.deepEqual(await existing(), { _tag: 'Right', right: new Set(['secret-name.pdf']) })
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file')
  t.like(await existing(), { _tag: 'Left', left: { kind: 'unexpected' } })
})

test('a name that is too long for the file system is a missing document', async (t) => {
  const existing = await folderDocuments(await tempFolder(t)).existing(['é'.repeat(200)], 'LLUM')()
  t.deepEqual(existing, { _tag: 'Right', right: new Set() })
})

test('a folder that takes too long is unavailable', async (t) => {
  const folder = await tempFolder(t)
  const keys = Array.from({ length: 20_000 }, (_, index) => `${index}.pdf`)
  t.like(await folderDocuments(folder, { callTimeoutMilliseconds: 1 }).existing(keys, 'LLUM')(), {
    _tag: 'Left',
    left: { kind: 'unavailable', cause: { code: 'ETIMEDOUT' } },
  })
})

test('the folder is ready while it is there', async (t) => {
  const folder = join(await tempFolder(t), 'volume')
  const documents = folderDocuments(folder)
  t.like(await documents.ready()(), {
    _tag: 'Left',
    left: { kind: 'unavailable', operation: 'ready', cause: { code: 'ENOENT' } },
  })
  await mkdir(folder)
  t.deepEqual(await documents.ready()(), { _tag: 'Right', right: undefined })
})
