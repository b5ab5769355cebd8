import { spawnSync } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import test, { type ExecutionContext } from 'ava'
import { readConfig } from '@account-import/server'
import { imageEnvironment } from '../support/image-environment.js'
import { root, textOf } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'

const dockerfile = textOf('Dockerfile')
const guide = textOf('docs/how-to/deploy.md')
const unit = textOf('examples/deploy/account-import.service')
const { version } = JSON.parse(textOf('package.json')) as { version: string }

type Container = Readonly<{
  image: string
  args: readonly string[]
  env?: readonly Readonly<{ name: string; value: string }>[]
  ports?: readonly Readonly<{ name: string; containerPort: number }>[]
  livenessProbe?: object
  readinessProbe?: object
  securityContext: object
}>
type Resource = Readonly<{
  kind: string
  spec: Readonly<{ template: Readonly<{ spec: Readonly<{ containers: readonly Container[] }> }> }>
}>

const resources = textOf('examples/deploy/kubernetes.yaml')
  .split(/^---$/m)
  .map((text) => parseYaml(text) as Resource)
const containers = resources
  .filter(({ kind }) => kind === 'Job' || kind === 'Deployment')
  .flatMap(({ spec }) => spec.template.spec.containers)

/** The variables that the guide writes into a settings file, with values for the open ones. */
const settings = (block: string): Readonly<Record<string, string>> => {
  const [, text = ''] = new RegExp(`\`\`\`\\w+ ${block}\n([^\`]+)\`\`\``).exec(guide) ?? []
  const lines = [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)]
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
}

test('the settings in the guide start the service in production', (t) => {
  const key = Buffer.alloc(32, 'k').toString('base64')
  const given = settings('settings')
  t.true(Object.keys(given).length >= 3)
  const secrets = { TOKEN_SIGNING_KEY: key, AUDIT_KEY: key }
  const inUnit = Object.fromEntries(
    [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  for (const set of [imageEnvironment(), inUnit]) {
    const read = readConfig({ ...set, ...given, ...secrets }, 'serve')
    t.deepEqual(read._tag === 'Left' ? read.left : [read.right.production, read.right.metricsPort], [
      true,
      9090,
    ])
  }
})

test('a host unpacks this version without compiling, and systemd starts it', (t) => {
  const [, section = ''] = /^## systemd\n([^]*?)^## /m.exec(guide) ?? []
  const commands = [...section.matchAll(/^```sh \w+\n([^`]+)```$/gm)].map(([, text = '']) => text).join('')
  const archive = `account-import-${version}-linux-x64`
  t.true(commands.includes(`tar -xzf ${archive}.tar.gz --no-same-owner -C /opt\n`))
  t.true(commands.includes(`ln -sfn ${archive} /opt/account-import\n`))
  t.notRegex(commands, /\b(?:git|npm|npx|tsc)\b/)
  const [, program = ''] = /^ExecStart=\/usr\/bin\/node (\S+) serve$/m.exec(unit) ?? []
  t.true(commands.includes(`/usr/bin/node ${program} migrate\n`))
})

// `npm run rehearse:image` shows that the image runs as its user, without a shell.
test('the image contains no secret and does not run as root', (t) => {
  t.notRegex(dockerfile, /KEY=|SECRET|PASSWORD|_URL=/)
  t.regex(dockerfile, /^USER node$/m)
})

test('systemd accepts the unit file', (t) => {
  for (const setting of [
    'DynamicUser=yes',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
    'TimeoutStopSec=20',
  ])
    t.true(unit.includes(`\n${setting}\n`), setting)
  t.notRegex(unit, /^MemoryDenyWriteExecute/m)
  // An installed systemd reports the lines that it does not understand; the program need not exist.
  const { error, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', 'examples/deploy/account-import.service'],
    { cwd: root, encoding: 'utf8' },
  )
  const complaints = (error === undefined ? stderr : '')
    .split('\n')
    .filter((line) => line.includes('account-import.service') && !/not executable|No such file/.test(line))
  t.deepEqual(complaints, [])
})

test('pods are probed where health is served, have few rights, and have the version of the repository', (t) => {
  t.deepEqual(
    resources.map(({ kind }) => kind),
    ['Job', 'Deployment', 'Service', 'NetworkPolicy', 'PodDisruptionBudget'],
  )
  for (const { image, securityContext } of containers) {
    t.is(image, `account-import:${version}`)
    t.like(securityContext, { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
  }
  const [migrate, serve] = containers
  t.deepEqual([migrate?.args, serve?.args], [['migrate'], ['serve']])
  t.like(serve?.livenessProbe, { httpGet: { path: '/livez', port: 'metrics' } })
  t.like(serve?.readinessProbe, { httpGet: { path: '/readyz' } })
  const given = Object.fromEntries((serve?.env ?? []).map(({ name, value }) => [name, value]))
  const read = readConfig(given, 'serve')
  t.is(read._tag, 'Right')
  t.true(read._tag === 'Right' && read.right.trustProxy)
  t.is(
    String(serve?.ports?.find(({ name }) => name === 'metrics')?.containerPort),
    given['METRICS_PORT'] ?? 'none',
  )
})

test('pods that trust a proxy accept connections from the ingress only, and metrics from the scraper only', (t) => {
  const specOf = (wanted: string): unknown => resources.find(({ kind }) => kind === wanted)?.spec
  const { selector } = specOf('Deployment') as { selector: object }
  const namespace = (name: string) => [
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } },
  ]
  t.deepEqual(specOf('NetworkPolicy'), {
    podSelector: selector,
    policyTypes: ['Ingress'],
    ingress: [
      { from: namespace('ingress-nginx'), ports: [{ port: 'http' }] },
      { from: namespace('monitoring'), ports: [{ port: 'metrics' }] },
    ],
  })
})

type ComposeService = Readonly<{
  image?: string
  ports?: readonly string[]
  environment: Readonly<Record<string, string>>
  healthcheck?: Readonly<{ test: readonly string[] }>
  command?: readonly string[] | string
}>

const compose = textOf('compose.yaml')
const { services } = parseYaml(compose) as {
  services: Readonly<Record<'mysql' | 'minio' | 'bucket' | 'service', ComposeService>>
}

/** The environment that the guide's commands write to `.env`. */
const environmentOf = async (t: ExecutionContext): Promise<Readonly<Record<string, string>>> => {
  const cwd = await tempFolder(t)
  const [, input = ''] = /```sh env\n([^`]+)```/.exec(textOf('docs/how-to/store-documents.md')) ?? []
  const { status, stderr } = spawnSync('bash', ['-e'], { cwd, input, encoding: 'utf8' })
  t.is(status, 0, stderr)
  t.is((await stat(join(cwd, '.env'))).mode & 0o777, 0o600)
  const lines = (await readFile(join(cwd, '.env'), 'utf8')).trim().split('\n')
  return Object.fromEntries(lines.map((line) => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]))
}

test('images are pinned to a version that a variable can replace', (t) => {
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

test('the compose file contains no secret and no default of one', (t) => {
  const variables = [...compose.matchAll(/(?<!\$)\$\{(\w+)([^}]*)\}/g)]
  t.true(variables.length >= 8)
  for (const [, name = '', rest = ''] of variables) t.regex(rest, name.endsWith('_IMAGE') ? /^:-/ : /^:\?/)
  for (const { environment } of Object.values(services))
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD|SECRET|KEY|ROOT|HOST_/.test(name)) t.regex(value, /\$\{\w+:\?/, name)
})

test('the guide sets every variable that the compose file needs, and a valid server configuration', async (t) => {
  const environment = await environmentOf(t)
  const asked = new Set([...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name))
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

test('the service reads the secrets of the compose file, and its configuration is valid', async (t) => {
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

test('the user of the bucket may only read documents, and the commands are a valid script', (t) => {
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
