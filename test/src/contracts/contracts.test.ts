import { joseAccessTokens, parseSigningKey } from '@account-import/adapter-access-tokens'
import { folderDocuments, minioDocuments } from '@account-import/adapter-object-storage'
import {
  randomPlatformAccountNumbers,
  rememberedDocuments,
  systemClock,
  webCryptoSecrets,
  type AccessTokens,
  type AccountDetails,
} from '@account-import/core'
import {
  accessTokenCases,
  clockCases,
  documentsCases,
  everyDetail,
  keyRingCases,
  platformAccountNumberCases,
  secretsCases,
  type DeepRequired,
  type DocumentsSubject,
  type KeyRingSubject,
} from '@account-import/core/contract-tests'
import { inMemoryAccessTokens, inMemoryDocuments, inMemoryKeyRing } from '@account-import/core/in-memory'
import { portIds, runtimeModule } from '@account-import/server'
import test, { type ExecutionContext } from 'ava'
import { Container } from 'inversify'
import { Client } from 'minio'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { answer } from '../support/answers.js'
import { newKey, ringOf } from '../support/key-rings.js'
import { startS3Server } from '../support/s3-server.js'
import { tempFolder } from '../support/temp-folder.js'
import { holds } from './holds.js'

holds(clockCases, 'system', () => systemClock)
holds(secretsCases, 'Web Crypto', () => webCryptoSecrets)
holds(secretsCases, 'the server', () => {
  const container = new Container()
  container.load(runtimeModule())
  return container.get(portIds.secrets)
})
holds(platformAccountNumberCases, 'random', () => randomPlatformAccountNumbers)
holds(accessTokenCases, 'in memory', () => inMemoryAccessTokens(webCryptoSecrets))
holds(accessTokenCases, 'JWT', (t): AccessTokens => {
  const key = parseSigningKey(randomBytes(32).toString('base64'))
  return key === undefined ? t.fail('32 random bytes are a signing key') : joseAccessTokens(key)
})

holds(keyRingCases, 'in memory', (): KeyRingSubject => {
  const wrapped = new Map<string, Uint8Array>()
  return {
    ring: inMemoryKeyRing(['one'], wrapped),
    rotated: inMemoryKeyRing(['two', 'one'], wrapped),
    other: inMemoryKeyRing(['two'], wrapped),
  }
})
holds(keyRingCases, 'secret keys', (): KeyRingSubject => {
  const [one, two] = [newKey(), newKey()]
  return { ring: ringOf(one), rotated: ringOf(two, one), other: ringOf(two) }
})

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

holds(documentsCases, 'in memory', (): DocumentsSubject => {
  const stored = new Set<string>()
  return { documents: inMemoryDocuments(stored), store: async (key) => void stored.add(key) }
})
holds(documentsCases, 'in a folder', inFolder)
holds(documentsCases, 'in a folder, remembered', async (t) => {
  const { documents, store } = await inFolder(t)
  return { documents: rememberedDocuments(documents, systemClock, { mostEntries: 50 }), store }
})
holds(documentsCases, 'on an S3 server', async (t): Promise<DocumentsSubject> => {
  const server = await startS3Server()
  t.teardown(server.stop)
  const { bucket, ...connection } = server.options
  const client = new Client({ ...connection, region: 'us-east-1' })
  return {
    documents: minioDocuments(server.options),
    store: async (key) => void (await client.putObject(bucket, key, '%PDF-1.7')),
  }
})

type Full = DeepRequired<AccountDetails>
type Point = Full['supply_addresses'][number]['supply_points'][number]

const accepts = <T>(value: T): T => value

/** The compiler proves the following: an expected error that does not occur is an error itself. */
test('the full account of the cases does not compile without one of its fields, at any depth', (t) => {
  t.is(accepts<Full>(everyDetail), everyDetail)

  const { billing_address5: _forgotten, ...others } = everyDetail
  // @ts-expect-error -- a field of the account is forgotten
  t.is(accepts<Full>(others), others)

  const [reading] = everyDetail.supply_addresses[0].supply_points[0].readings
  const { source: _source, ...rest } = reading
  // @ts-expect-error -- a field of a member of a list of a list is forgotten
  t.deepEqual(accepts<Point['readings']>([rest]), [rest])

  // @ts-expect-error -- a list without a member shows no field at all
  t.deepEqual(accepts<Full['customers']>([]), [])
})

test('random platform account numbers ascend but for one step in 32,768, so that rows lie together', async (t) => {
  const count = 40_000
  const numbers: string[] = []
  for (let index = 0; index < count; index += 1)
    numbers.push(await answer(randomPlatformAccountNumbers.next()))
  t.is(new Set(numbers).size, count)
  for (const number of numbers) t.regex(number, /^A-[0-9A-HJKMNP-TV-Z]{12}$/)
  const blocks = new Set(numbers.map((number) => number.slice(0, -3)))
  t.true(blocks.size <= 3, `${blocks.size} blocks`)
  const descents = numbers.filter((number, index) => number < (numbers[index - 1] ?? ''))
  t.true(descents.length < blocks.size, `${descents.length} descents`)
})
