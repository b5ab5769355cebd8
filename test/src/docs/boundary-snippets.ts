/** A file of a tree to be linted. */
export type Snippet = Readonly<{ file: string; code: string }>

type Snippets = readonly (readonly [place: string, code: string])[]

const core = 'packages/core/src'
const contract = 'packages/http-contract/src'
const http = 'packages/adapter-http-koa/src'
const sql = 'packages/adapter-sql/src'
const client = 'packages/client/src'
const server = 'packages/server/src'

/** Each crosses a boundary of the architecture. */
export const forbidden: Snippets = [
  [core, "import knex from 'knex'\nexport const db = knex"],
  [core, "import type Koa from 'koa'\nexport type App = Koa"],
  [core, "export * from '@account-import/adapter-sql'"],
  [core, "export * from '@account-import/http-contract'"],
  [core, "export * from '../../adapter-http-koa/src/index.js'"],
  [core, "export * from '../../adapter-sql/dist/index.js'"],
  [core, "export * from 'minio'"],
  [core, "export const driver = import('mysql2')"],
  [core, "import { readFileSync } from 'node:fs'\nexport const read = readFileSync"],
  [core, "import { randomUUID } from 'node:crypto'\nexport const make = randomUUID"],
  [core, "import { readFileSync } from 'fs'\nexport const read = readFileSync"],
  [core, "import { strict } from 'node:assert'\nexport const check = strict"],
  [core, "import 'reflect-metadata'"],
  [core, "export { pipe } from 'fp-ts/lib/function.js'"],
  [core, "export { either } from 'fp-ts'"],
  [core, 'export const folder = process.cwd()'],
  [core, "export const page = fetch('http://127.0.0.1')"],
  [`${core}/fp.ts`, "export { right } from 'fp-ts/Either'"],
  [`${core}/contract-tests`, "import test from 'ava'\nexport const run = test"],
  [contract, "export * from '@account-import/adapter-http-koa'"],
  [contract, "export * from '@account-import/core/in-memory'"],
  [contract, "export * from 'koa'"],
  [contract, "import type { Server } from 'node:http'\nexport type Served = Server"],
  [http, "export * from '@account-import/adapter-sql'"],
  [http, "export * from '@account-import/client'"],
  [http, "export * from '@account-import/server'"],
  [http, "export { Container } from 'inversify'"],
  [http, "export * from 'knex'"],
  [sql, "export * from '@account-import/http-contract'"],
  [sql, "export * from '@account-import/adapter-http-koa'"],
  [sql, "export * from '../../adapter-http-koa/src/index.js'"],
  [sql, "export * from '@account-import/core/guides'"],
  [`${sql}/migrations`, "export * from '../rows/notes.js'"],
  [`${sql}/migrations`, "export * from '@account-import/core'"],
  [`${sql}/migrations`, "export * from './helpers/columns.js'"],
  [sql, "export * from '@account-import/core/testing'"],
  [server, "export * from '@account-import/core/testing'"],
  [client, "export * from '@account-import/http-contract/docs'"],
  [sql, "export { Container } from 'inversify'"],
  [sql, "export * from 'fp-ts/lib/Either.js'"],
  [client, "export * from '@account-import/adapter-http-koa'"],
  [client, "export * from '@account-import/server'"],
  [client, "import { request } from 'node:http'\nexport const send = request"],
  ['packages/adapter-access-tokens/src', "export * from '@account-import/adapter-sql'"],
  ['packages/adapter-email/src', "export * from '@account-import/adapter-sql'"],
  ['packages/adapter-email/src', "export * from 'knex'"],
  [server, "export * from 'nodemailer'"],
  ['packages/adapter-object-storage/src', "export * from '@account-import/adapter-sql'"],
  ['packages/adapter-payment-vendor/src', "export * from '@account-import/adapter-sql'"],
  [server, "export * from '@account-import/client'"],
  [server, "export * from 'knex'"],
  [server, "export * from 'koa'"],
  ['test/src', "export * from '../../packages/core/src/index.js'"],
  ['examples/any/src', "export { right } from 'fp-ts/lib/Either.js'"],
]

/** Each is what its package is made of. */
export const allowed: Snippets = [
  [core, "export * from './codec/index.js'"],
  [`${core}/use-cases/processing`, "export * from '../../ports/index.js'"],
  [core, "import * as t from 'io-ts'\nexport const text = t.string"],
  [core, "export * from 'libphonenumber-js/max'"],
  [`${core}/fp.ts`, "export { pipe } from 'fp-ts/lib/function.js'"],
  [`${core}/contract-tests`, "import { strict } from 'node:assert'\nexport const check = strict"],
  [contract, "export { pipe } from '@account-import/core/adapter-kit'"],
  [contract, "export { guides } from '@account-import/core/guides'"],
  [http, "export { errorPage } from '@account-import/http-contract/docs'"],
  [http, "export { createHttpServer } from './server/create-http-server.js'"],
  [http, "export { endpoints } from '@account-import/http-contract'"],
  [http, "import type { Server } from 'node:http'\nexport type Served = Server"],
  [sql, "export { pipe } from '@account-import/core/adapter-kit'"],
  [sql, "import type { Knex } from 'knex'\nexport type Database = Knex"],
  [`${sql}/migrations`, "import { createHash } from 'node:crypto'\nexport const hash = createHash"],
  [`${sql}/migrations`, "export * from './columns.js'"],
  [client, "export { endpoints } from '@account-import/http-contract'"],
  [server, "export { Container } from 'inversify'"],
  [server, "export { inMemoryPorts } from '@account-import/core/in-memory'"],
  [server, "export { createApp } from '@account-import/adapter-http-koa'"],
]
