import { spawnSync } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import test, { type ExecutionContext } from 'ava'
import { readConfig } from '@account-import/server'
import { imageEnvironment } from '../support/image-environment.js'
import { tempFolder } from '../support/temp-folder.js'
import { textOf } from '../support/repository.js'

type Service = Readonly<{
  image?: string
  ports?: readonly string[]
  environment: Readonly<Record<string, string>>
  healthcheck?: Readonly<{ test: readonly string[] }>
  command?: readonly string[] | string
}>

const text = textOf('compose.yaml')
const { services } = parseYaml(text) as {
  services: Readonly<Record<'mysql' | 'minio' | 'bucket' | 'service', Service>>
}

const guide = textOf('docs/how-to/store-documents.md')

/** The environment that the guide's commands write to `.env`. */
const environmentOf = async (t: ExecutionContext): Promise<Readonly<Record<string, string>>> => {
  const cwd = await tempFolder(t)
  const [, input = ''] = /```sh env\n([^`]+)```/.exec(guide) ?? []
  const { status, stderr } = spawnSync('bash', ['-e'], { cwd, input, encoding: 'utf8' })
  t.is(status, 0, stderr)
  t.is((await stat(join(cwd, '.env'))).mode & 0o777, 0o600)
  const lines = (await readFile(join(cwd, '.env'), 'utf8')).trim().split('\n')
  return Object.fromEntries(lines.map((line) => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]))
}

test('images are pinned to a version, and can be replaced', (t) => {
  const images = Object.values(services).flatMap(({ image = [] }) => image)
  t.is(images.length, 3)
  for (const image of images)
    t.regex(
      image,
      /^\$\{[A-Z]+_IMAGE:-[\w./-]+:(?:\d+\.\d+\.\d+|RELEASE\.[\dTZ-]+)(?:@sha256:[0-9a-f]{64})?\}$/,
    )
})

test('ports are open to this machine only, and servers have health checks', (t) => {
  const ports = Object.values(services).flatMap(({ ports: open = [] }) => open)
  t.true(ports.length >= 2)
  for (const port of ports) t.regex(port, /^127\.0\.0\.1:\d+:\d+$/)
  for (const { healthcheck } of [services.mysql, services.minio]) t.true((healthcheck?.test.length ?? 0) > 1)
})

test('there is no secret in the file, and none has a default', (t) => {
  const variables = [...text.matchAll(/(?<!\$)\$\{(\w+)([^}]*)\}/g)]
  t.true(variables.length >= 8)
  for (const [, name = '', rest = ''] of variables) t.regex(rest, name.endsWith('_IMAGE') ? /^:-/ : /^:\?/)
  for (const { environment } of Object.values(services))
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD|SECRET|KEY|ROOT|HOST_/.test(name)) t.regex(value, /\$\{\w+:\?/, name)
})

test('the guide makes every variable that the file asks for, and a server configuration that fits', async (t) => {
  const environment = await environmentOf(t)
  const asked = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name))
  t.deepEqual([...asked].filter((name) => !environment[name]).sort(), [])
  const read = readConfig(environment, 'serve')
  if (read._tag === 'Left') return t.fail(JSON.stringify(read.left))
  const { database, documentStorage } = read.right
  const url = new URL(database.url)
  const { mysql, bucket } = services
  t.deepEqual(
    [url.username, url.password, url.pathname, url.host],
    [
      mysql.environment['MYSQL_USER'],
      environment['MYSQL_PASSWORD'],
      `/${mysql.environment['MYSQL_DATABASE']}`,
      '127.0.0.1:3306',
    ],
  )
  t.deepEqual(documentStorage, {
    kind: 'bucket',
    endpoint: 'http://127.0.0.1:9000',
    accessKey: environment['DOCUMENTS_KEY'],
    secretKey: environment['DOCUMENTS_SECRET'],
    bucket: 'documents',
  })
  t.regex(String(bucket.command), /mc mb --ignore-existing store\/documents\n/)
  const again = await environmentOf(t)
  t.not(again['MYSQL_PASSWORD'], environment['MYSQL_PASSWORD'])
})

test('the service takes the secrets of the same file, and its configuration fits', async (t) => {
  const given = await environmentOf(t)
  const environment = Object.entries(services.service.environment).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, variable: string) => given[variable] ?? ''),
  ])
  const read = readConfig({ ...imageEnvironment(), ...Object.fromEntries(environment) }, 'serve')
  if (read._tag === 'Left') return t.fail(JSON.stringify(read.left))
  const { database, documentStorage } = read.right
  t.is(new URL(database.url).host, 'mysql:3306')
  t.like(documentStorage, {
    kind: 'bucket',
    endpoint: 'http://minio:9000',
    secretKey: given['DOCUMENTS_SECRET'],
  })
})

test('the bucket’s user may see documents and do nothing else, and the commands are a script', (t) => {
  const policy = JSON.parse(services.bucket.environment['POLICY'] ?? '') as {
    Statement: readonly Readonly<{ Action: readonly string[]; Resource: readonly string[] }>[]
  }
  t.deepEqual(
    policy.Statement.map(({ Action, Resource }) => [Action, Resource]),
    [
      [['s3:ListBucket'], ['arn:aws:s3:::documents']],
      [['s3:GetObject'], ['arn:aws:s3:::documents/*']],
    ],
  )
  const input = String(services.bucket.command).replaceAll('$$', '$')
  const { status, stderr } = spawnSync('bash', ['-n'], { input, encoding: 'utf8' })
  t.is(status, 0, stderr)
})
