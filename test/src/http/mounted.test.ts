import 'reflect-metadata'
import { createApp, type LogEntry } from '@account-import/adapter-http-koa'
import { consoleApp } from '@account-import/console'
import { createImportService, type UseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { graphqlAddress } from '@account-import/http-contract'
import { bodyParser } from '@koa/bodyparser'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import test, { type ExecutionContext } from 'ava'
import express from 'express'
import Fastify, { type FastifyInstance } from 'fastify'
import Koa from 'koa'
import mount from 'koa-mount'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { blocksIn } from '../docs/readme.js'
import { answer } from '../support/answers.js'
import { textOf } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'

class AppModule {}
Module({})(AppModule)

// The code of the page:

const inExpress = ({ useCases }: Service) => {
  const host = express()
  host.use('/imports', createApp(useCases).callback())
  host.use(express.json())
  return host
}

const inFastify = ({ useCases }: Service) => {
  const host = Fastify()
  const imports = createApp(useCases, { basePath: '/imports' }).callback()
  host.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.all('/imports/*', (request, reply) => {
      reply.hijack()
      void imports(request.raw, reply.raw)
    })
  })
  return host
}

const inNest = async ({ useCases }: Service) => {
  const host = await NestFactory.create<NestExpressApplication>(AppModule, { bodyParser: false })
  host.use('/imports', createApp(useCases).callback())
  host.useBodyParser('json')
  return host
}

test('the page about web frameworks shows the code of this test', (t) => {
  const shown = blocksIn('docs/how-to/mount-in-a-web-framework.md').filter(
    ({ language }) => language === 'ts',
  )
  t.is(shown.length, 3)
  for (const { text } of shown)
    t.true(textOf('test/src/http/mounted.test.ts').includes(`\n${text.trim()}\n`), text)
})

type Service = Readonly<{ useCases: UseCases }>

/** A service with a supplier, a key and the log of its application. */
const begun = async () => {
  const { useCases } = createImportService(inMemoryPorts())
  await answer(useCases.operator.createOrganisation({ code: 'ACME' }))
  await answer(useCases.operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' }))
  const { apiKey } = await answer(useCases.operator.createApiKey({ organisation: 'ACME' }))
  const logged: LogEntry[] = []
  const log = (entry: LogEntry): unknown => logged.push(entry)
  return { useCases, apiKey, logged, options: { log } }
}

/** Listens until the test ends; returns the address of the API. */
const served = async (t: ExecutionContext, server: Server, close: () => unknown): Promise<string> => {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/imports`
}

const serve = (t: ExecutionContext, listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  return served(t, server, () => server.close())
}

const serveFastify = async (t: ExecutionContext, host: FastifyInstance): Promise<string> => {
  await host.listen({ host: '127.0.0.1', port: 0 })
  return served(t, host.server, () => host.close())
}

const json = { 'Content-Type': 'application/json' }
const lines = { 'Content-Type': 'application/x-ndjson' }

const sender = (home: string, apiKey: string) => {
  let token = ''
  const post = (path: string, body: string | Buffer, headers: Readonly<Record<string, string>>) =>
    fetch(`${home}${path}`, {
      method: 'POST',
      body,
      headers: { ...headers, ...(token !== '' && { Authorization: `Token ${token}` }) },
      signal: AbortSignal.timeout(20_000),
    })
  const logIn = async (): Promise<void> => {
    token = await tokenOf(rawApi(home), apiKey)
  }
  const stage = (body: string | Buffer, headers: Readonly<Record<string, string>> = json) =>
    post('/v1/data-import/account-import-process/create-or-update/', body, headers)
  const stageLines = (body: string | Buffer, headers: Readonly<Record<string, string>> = lines) =>
    post('/v1/data-import/account-import-process/bulk-create-or-update/', body, headers)
  return { logIn, stage, stageLines, post }
}

const account = (number: string): string => JSON.stringify(gasAccount('LEVANTE', number))
/** Longer than the limit from which a body counts. */
const longAccount = (number: string): string =>
  JSON.stringify({
    ...gasAccount('LEVANTE', number),
    notes: Array.from({ length: 400 }, () => ({ body: 'x'.repeat(400) })),
  })
const gzip = { 'Content-Encoding': 'gzip' }

/** Stages accounts in each way: plain and packed, one and several. */
const stagesAll = async (t: ExecutionContext, home: string, apiKey: string): Promise<void> => {
  const { logIn, stage, stageLines } = sender(home, apiKey)
  await logIn()
  const statuses = [
    (await stage(account('A'))).status,
    (await stage(gzipSync(account('B')), { ...json, ...gzip })).status,
    (await stage(longAccount('C'))).status,
  ]
  t.deepEqual(statuses, [201, 201, 201])
  const wrong = await stage('{"import_supplier": ')
  t.is(wrong.status, 400)
  const two = `${account('D')}\n${account('E')}\n`
  const linesOf = async (body: string | Buffer, headers?: typeof lines & typeof gzip) =>
    (await (await stageLines(body, headers)).text())
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { status?: number }).status)
  t.deepEqual(await linesOf(two), [201, 201, undefined])
  t.deepEqual(await linesOf(gzipSync(two), { ...lines, ...gzip }), [200, 200, undefined])
}

test('the application works in Express, before its parsers', async (t) => {
  const { useCases, apiKey } = await begun()
  await stagesAll(t, await serve(t, inExpress({ useCases })), apiKey)
})

test('the application works in Fastify, in a scope without parsers', async (t) => {
  const { useCases, apiKey } = await begun()
  await stagesAll(t, await serveFastify(t, inFastify({ useCases })), apiKey)
})

test('the application works in NestJS, before its parsers', async (t) => {
  const { useCases, apiKey } = await begun()
  const host = await inNest({ useCases })
  await host.listen(0, '127.0.0.1')
  await stagesAll(t, await served(t, host.getHttpServer() as Server, () => host.close()), apiKey)
})

/** Keeps the bytes of a body, as NestJS does with `rawBody`. */
const keepBytes = {
  verify: (request: object, _: unknown, bytes: Buffer) => void Object.assign(request, { rawBody: bytes }),
}
const limit = '6mb'

const parsers = {
  'express.json()': [express.json({ limit }), express.urlencoded({ extended: true })],
  'express.json() that keeps the bytes': [express.json({ limit, ...keepBytes })],
  'express.raw()': [express.raw({ type: () => true, limit })],
  'express.text()': [express.text({ type: () => true, limit })],
}

for (const [name, before] of Object.entries(parsers))
  test(`the application works behind ${name}`, async (t) => {
    const { useCases, apiKey, options } = await begun()
    const host = express()
    host.use(...before)
    host.use('/imports', createApp(useCases, options).callback())
    await stagesAll(t, await serve(t, host), apiKey)
  })

test('the application works behind the parsers of NestJS', async (t) => {
  const { useCases, apiKey, options } = await begun()
  const nest = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false })
  nest.useBodyParser('json', { limit })
  nest.use('/imports', createApp(useCases, options).callback())
  await nest.listen(0, '127.0.0.1')
  await stagesAll(t, await served(t, nest.getHttpServer() as Server, () => nest.close()), apiKey)
})

test('the application works behind the parsers of Koa', async (t) => {
  const { useCases, apiKey, options } = await begun()
  const koa = new Koa()
  koa.use(bodyParser({ jsonLimit: limit }))
  koa.use(mount('/imports', createApp(useCases, options)))
  const handle = koa.callback()
  await stagesAll(t, await serve(t, (request, response) => void handle(request, response)), apiKey)
})

test('the application works behind the parsers of Fastify, whose body is handed on', async (t) => {
  const { useCases, apiKey, options } = await begun()
  const fastify = Fastify({ bodyLimit: 6_000_000 })
  const imports = createApp(useCases, { ...options, basePath: '/imports' }).callback()
  fastify.addContentTypeParser('application/x-ndjson', { parseAs: 'buffer' }, (_, body, done) =>
    done(null, body),
  )
  fastify.all('/imports/*', (request, reply) => {
    reply.hijack()
    void imports(Object.assign(request.raw, { body: request.body }), reply.raw)
  })
  const { logIn, stage, stageLines } = sender(await serveFastify(t, fastify), apiKey)
  await logIn()
  const two = `${account('D')}\n${account('E')}\n`
  const statuses = [
    await stage(account('A')),
    await stageLines(two),
    await stageLines(gzipSync(two), { ...lines, ...gzip }),
  ].map(({ status }) => status)
  t.deepEqual(statuses, [201, 200, 200])
})

test('the limits hold for a body that was read before: length, depth, values, syntax where its bytes are kept', async (t) => {
  const { useCases, apiKey, options } = await begun()
  const codesBehind = async (before: express.RequestHandler) => {
    const host = express()
    host.use(before)
    host.use('/imports', createApp(useCases, options).callback())
    const { logIn, stage } = sender(await serve(t, host), apiKey)
    await logIn()
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`
    const codes: string[] = []
    for (const body of [
      JSON.stringify({ long: 'x'.repeat(5_300_000) }),
      deep,
      '{"import_supplier": "LEVANTE", "import_supplier": "LEVANTE"}',
      '{}',
      '',
    ]) {
      const { code } = (await (await stage(body)).json()) as { code: string }
      codes.push(code)
    }
    return codes
  }
  const required = 'account_failed_validation'
  const strict = ['payload_too_large', 'payload_too_deep', 'parse_error', required, 'parse_error']
  t.deepEqual(await codesBehind(express.json({ limit, ...keepBytes })), strict)
  t.deepEqual(await codesBehind(express.raw({ type: () => true, limit })), strict)
  t.deepEqual(await codesBehind(express.json({ limit })), strict.with(2, required))
})

test('a body that was read and is lost is a failure of the service, and its log entry says what to change', async (t) => {
  const { useCases, apiKey, options, logged } = await begun()
  let body: unknown
  const host = express()
  const imports = createApp(useCases, options).callback()
  host.use('/imports', (request, _response, next) => {
    if (request.url === graphqlAddress.path) return next()
    request.resume().once('end', () => {
      request.body = body
      next()
    })
  })
  host.use('/imports', imports)
  const behind = sender(await serve(t, host), apiKey)
  await behind.logIn()
  for (const left of [undefined, {}, { at: 1n }]) {
    body = left
    for (const send of [behind.stage, behind.stageLines]) {
      const answered = await send(account('A'))
      const { code } = (await answered.json()) as { code: string }
      t.deepEqual([answered.status, code], [500, 'error'])
      const { level, failure } = logged.at(-1) ?? {}
      t.is(level, 'error')
      t.deepEqual([failure?.name, failure?.kind], ['BodyReadBefore', 'unexpected'])
      t.regex(failure?.advice ?? '', /Mount this application before the parser/)
    }
  }
})

test('a form of the console is read from the fields of a parser, and a list keeps its values', async (t) => {
  const { useCases, apiKey, options } = await begun()
  const host = express()
  host.use(express.urlencoded({ extended: true }))
  host.use('/imports', consoleApp({ service: { useCases }, ...options }).callback())
  const home = await serve(t, host)
  const answered = await fetch(`${home}/console/log-in/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ api_key: apiKey }),
  })
  t.deepEqual([answered.status, answered.headers.getSetCookie().length], [303, 1])
})
