import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { endpoints } from '@account-import/http-contract'

/** Many requests of one key at once. `hold`: the last byte of each body is sent only when all the others are there. */
export type Flood = Readonly<{
  path: string
  type: 'application/json' | 'application/x-ndjson'
  packed: boolean
  body: Buffer
  requests: number
  hold?: true
}>

const megabytes5 = 5_242_880

/** A list of empty objects: the JSON that takes most memory for its length. */
const emptyObjects = (bytes: number): string => `[${'{},'.repeat(Math.floor(bytes / 3) - 1)}{}]`

/** The same, with so much random text in it that it unpacks to less than a hundred times its packed length. */
const barelyPacked = (bytes: number): string =>
  `["${randomBytes(45_000).toString('base64')}",${emptyObjects(bytes - 70_000).slice(1)}`

const json = { type: 'application/json', path: endpoints.validateAccount.path } as const
const lines = { type: 'application/x-ndjson', path: endpoints.bulkValidate.path } as const

const small = gzipSync(emptyObjects(megabytes5))
const larger = gzipSync(barelyPacked(megabytes5))

/** Floods that took the process, its memory or its event loop, before anything bounded what bodies and lines take. */
export const floods: Readonly<Record<string, Flood>> = {
  '16 long lines in 5 KB each': { ...lines, packed: true, body: small, requests: 16 },
  '160 long lines in 5 KB each': { ...lines, packed: true, body: small, requests: 160 },
  '40 long lines in 60 KB each': { ...lines, packed: true, body: larger, requests: 40 },
  '128 MiB of line feeds in 130 KB': {
    ...lines,
    packed: true,
    body: gzipSync(Buffer.alloc(134_217_728, '\n')),
    requests: 1,
  },
  '400 bodies of 262 KB that end together': {
    ...json,
    packed: false,
    body: Buffer.from(emptyObjects(262_000)),
    requests: 400,
    hold: true,
  },
  '200 long bodies in 5 KB each': { ...json, packed: true, body: small, requests: 200 },
  '200 long bodies in 60 KB each': { ...json, packed: true, body: larger, requests: 200 },
}
