import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { MinioDocumentsOptions } from '@account-import/adapter-object-storage'

/** A real S3 server in this process with one bucket; `options` reach it. */
export const startS3Server = async (): Promise<{
  options: MinioDocumentsOptions
  stop: () => Promise<void>
}> => {
  const directory = await mkdtemp(join(tmpdir(), 'account-import-s3-'))
  const bucket = 'documents'
  const configureBuckets = [{ name: bucket, configs: [] }]
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  const { port } = await server.run()
  return {
    options: { endPoint: '127.0.0.1', port, useSSL: false, accessKey: 'S3RVER', secretKey: 'S3RVER', bucket },
    stop: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
