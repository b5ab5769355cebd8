import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client } from 'minio'
import test, { type ExecutionContext } from 'ava'
import { rememberedDocuments, systemClock } from '@account-import/core'
import { documentsCases, type DocumentsSubject } from '@account-import/core/contract-tests'
import { inMemoryDocuments } from '@account-import/core/in-memory'
import { folderDocuments, minioDocuments } from '@account-import/adapter-object-storage'
import { tempFolder } from '../support/temp-folder.js'
import { startS3Server } from '../support/s3-server.js'

const inMemory = async (): Promise<DocumentsSubject> => {
  const stored = new Set<string>()
  return {
    documents: inMemoryDocuments(stored),
    store: async (key) => {
      stored.add(key)
    },
  }
}

const inFolder = async (t: ExecutionContext): Promise<DocumentsSubject> => {
  const folder = await tempFolder(t)
  return {
    documents: folderDocuments(folder),
    store: async (key) => {
      await mkdir(dirname(join(folder, key)), { recursive: true })
      await writeFile(join(folder, key), '%PDF-1.7')
    },
  }
}

const onS3 = async (t: ExecutionContext): Promise<DocumentsSubject> => {
  const server = await startS3Server()
  t.teardown(server.stop)
  const { bucket, ...connection } = server.options
  const client = new Client({ ...connection, region: 'us-east-1' })
  return {
    documents: minioDocuments(server.options),
    store: async (key) => {
      await client.putObject(bucket, key, '%PDF-1.7')
    },
  }
}

const remembered = async (t: ExecutionContext): Promise<DocumentsSubject> => {
  const { documents, store } = await inFolder(t)
  return { documents: rememberedDocuments(documents, systemClock, { mostEntries: 50 }), store }
}

const backends = {
  'in memory': inMemory,
  'in a folder': inFolder,
  'on an S3 server': onS3,
  'in a folder, remembered': remembered,
}

for (const [backend, open] of Object.entries(backends))
  for (const { port, title, run } of documentsCases)
    test(`${port} ${backend}: ${title}`, async (t) => {
      await t.notThrowsAsync(run(await open(t)))
    })
