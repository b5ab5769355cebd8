import { spawnSync } from 'node:child_process'
import { parseYaml } from '@redocly/openapi-core'
import test from 'ava'
import { readConfig } from '@account-import/server'
import { imageEnvironment } from '../support/image-environment.js'
import { textOf } from '../support/repository.js'

const dockerfile = textOf('Dockerfile')
const guide = textOf('docs/how-to/deploy.md')
const unit = textOf('examples/deploy/account-import.service')
const { version } = JSON.parse(textOf('package.json')) as { version: string }

type Probe = Readonly<{ httpGet: Readonly<{ path: string; port: string }> }>
type Container = Readonly<{
  image: string
  args: readonly string[]
  env?: readonly Readonly<{ name: string; value: string }>[]
  ports?: readonly Readonly<{ name: string; containerPort: number }>[]
  livenessProbe?: Probe
  readinessProbe?: Probe
  securityContext: Readonly<Record<string, unknown>>
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

/** The variables that the guide puts into a file of settings, with values in place of what is left open. */
const settings = (block: string): Readonly<Record<string, string>> => {
  const [, text = ''] = new RegExp(`\`\`\`\\w+ ${block}\n([^\`]+)\`\`\``).exec(guide) ?? []
  const lines = [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)]
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
}

test('the settings that the guide shows start the service in production', (t) => {
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

test('a host unpacks this version and compiles nothing, and systemd starts what was unpacked', (t) => {
  const [, section = ''] = /^## systemd\n([^]*?)^## /m.exec(guide) ?? []
  const commands = [...section.matchAll(/^```sh \w+\n([^`]+)```$/gm)].map(([, text = '']) => text).join('')
  const archive = `account-import-${version}-linux-x64`
  t.true(commands.includes(`tar -xzf ${archive}.tar.gz --no-same-owner -C /opt\n`))
  t.true(commands.includes(`ln -sfn ${archive} /opt/account-import\n`))
  t.notRegex(commands, /\b(?:git|npm|npx|tsc)\b/)
  const [, program = ''] = /^ExecStart=\/usr\/bin\/node (\S+) serve$/m.exec(unit) ?? []
  t.true(commands.includes(`/usr/bin/node ${program} migrate\n`))
})

test('the image has no secret, is not root, and starts its program without a shell', (t) => {
  t.notRegex(dockerfile, /KEY=|SECRET|PASSWORD|_URL=/)
  t.regex(dockerfile, /^USER node$/m)
  t.regex(dockerfile, /^ENTRYPOINT \["node", /m)
  t.regex(dockerfile, /^FROM \$\{NODE_IMAGE\}$/m)
})

test('the unit of systemd is one that systemd understands', (t) => {
  for (const setting of [
    'DynamicUser=yes',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
    'TimeoutStopSec=20',
  ])
    t.true(unit.includes(`\n${setting}\n`), setting)
  t.notRegex(unit, /^MemoryDenyWriteExecute/m)
  // Where systemd is installed it says itself what it does not understand; the program need not be there.
  const { error, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', 'examples/deploy/account-import.service'],
    {
      cwd: new URL('../../../', import.meta.url),
      encoding: 'utf8',
    },
  )
  const complaints = (error === undefined ? stderr : '')
    .split('\n')
    .filter((line) => line.includes('account-import.service') && !/not executable|No such file/.test(line))
  t.deepEqual(complaints, [])
})

test('pods ask for health where it is answered, may do little, and have the version of the repository', (t) => {
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
  t.is(serve?.livenessProbe?.httpGet.path, '/livez')
  t.is(serve?.readinessProbe?.httpGet.path, '/readyz')
  const given = Object.fromEntries((serve?.env ?? []).map(({ name, value }) => [name, value]))
  const read = readConfig(given, 'serve')
  t.is(read._tag, 'Right')
  t.true(read._tag === 'Right' && read.right.trustProxy)
  t.is(
    String(serve?.ports?.find(({ name }) => name === 'metrics')?.containerPort),
    given['METRICS_PORT'] ?? 'none',
  )
})

type Policy = Readonly<{
  spec: Readonly<{
    podSelector: Readonly<{ matchLabels: Readonly<Record<string, string>> }>
    policyTypes: readonly string[]
    ingress: readonly Readonly<{ from: readonly object[]; ports: readonly Readonly<{ port: string }>[] }>[]
  }>
}>

test('pods that believe the address a proxy writes are reached by the ingress alone, metrics by the scraper', (t) => {
  const policy = resources.find(({ kind }) => kind === 'NetworkPolicy') as unknown as Policy | undefined
  const deployment = resources.find(({ kind }) => kind === 'Deployment') as unknown as Readonly<{
    spec: Readonly<{ selector: object }>
  }>
  t.deepEqual(policy?.spec.podSelector, deployment.spec.selector)
  t.deepEqual(policy?.spec.policyTypes, ['Ingress'])
  const namespace = (name: string) => [
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } },
  ]
  t.deepEqual(policy?.spec.ingress, [
    { from: namespace('ingress-nginx'), ports: [{ port: 'http' }] },
    { from: namespace('monitoring'), ports: [{ port: 'metrics' }] },
  ])
})
