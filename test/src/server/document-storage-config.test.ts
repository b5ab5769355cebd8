import test, { type ExecutionContext } from 'ava'
import { readConfig, type ServerConfig } from '@account-import/server'

const storageOf = (t: ExecutionContext, url: string): ServerConfig['documentStorage'] => {
  const read = readConfig({ DOCUMENT_STORAGE_URL: url }, 'serve')
  if (read._tag === 'Left') return t.fail(JSON.stringify(read.left))
  return read.right.documentStorage
}

test('documents may lie in a folder, named as a path or as a URL', (t) => {
  for (const [url, path] of [
    ['file:documents', 'documents'],
    ['file:/srv/documents', '/srv/documents'],
    ['file:///srv/documents', '/srv/documents'],
  ] as const)
    t.deepEqual(storageOf(t, url), { kind: 'folder', path })
})

test('a bucket elsewhere than MinIO has it is named with its region', (t) => {
  const url = 's3+https://k:s@s3.eu-west-1.amazonaws.com/documents?region=eu-west-1'
  t.like(storageOf(t, url), {
    endpoint: 'https://s3.eu-west-1.amazonaws.com',
    bucket: 'documents',
    region: 'eu-west-1',
  })
})
