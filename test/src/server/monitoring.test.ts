import test, { type ExecutionContext } from 'ava'
import { createClient } from '@account-import/client'
import { endpoints } from '@account-import/http-contract'
import { textOf } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { readMetrics } from './support/metrics.js'
import { patternsFor, usesIn } from './support/prom-ql.js'

type Shown = Readonly<{ where: string; expression: string; text: string }>

type Panel = Readonly<{ title: string; targets: readonly Readonly<{ expr: string; legendFormat: string }>[] }>

const dashboard = (): readonly Shown[] => {
  const { panels } = JSON.parse(textOf('examples/monitoring/grafana-dashboard.json')) as {
    panels: readonly Panel[]
  }
  return panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({ where: title, expression: expr, text: legendFormat })),
  )
}

const alerts = (): readonly Shown[] =>
  textOf('examples/monitoring/alerts.yml')
    .split('- alert: ')
    .slice(1)
    .map((rule) => ({
      where: rule.split('\n')[0] ?? '',
      expression: /^ *expr: (.*)$/m.exec(rule)?.[1] ?? '',
      text: /^ *summary: (.*)$/m.exec(rule)?.[1] ?? '',
    }))

/** The labels of each metric of a server with workers that has done all that it counts. */
const exported = async (t: ExecutionContext): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const { address, announced } = await serveProcess(t, { DATA_DIR: await tempFolder(t) }, [
    '--demo',
    '--workers',
    '2',
  ])
  const demo = announced['demo'] as Record<string, string>
  const client = createClient({ baseUrl: address, apiKey: String(demo['api_key']) })
  const supplier = String(demo['import_supplier'])
  await client.stageAccount(gasAccount(supplier, 'A-1'))
  for await (const line of client.bulkStage([gasAccount(supplier, 'A-2')])) t.truthy(line)
  const named = { import_supplier_code: supplier, external_account_number: 'A-1' }
  await client.processAccount({ ...named, operations_team_name: String(demo['operations_team']) })
  const instruction = { vendor: 'SANDBOX', reference: 'sandbox-1', type: 'CARD' }
  await client.addPaymentInstruction({
    import_supplier: supplier,
    external_account_number: 'A-1',
    ...instruction,
  } as never)
  await client.validateAccount({ import_supplier: supplier } as never)
  const labels = new Map<string, Set<string>>([['up', new Set(['job', 'instance'])]])
  for (const { name, labels: own } of await readMetrics(t, address)) {
    const known = labels.get(name) ?? new Set()
    for (const label of Object.keys(own)) known.add(label)
    labels.set(name, known)
  }
  return labels
}

test('expressions are read: metrics, labels to select by, labels to group by', (t) => {
  const text = 'sum by (le, route) (rate(a_bucket{code=~"x|y{", b!="c"}[5m])) / sum(d) > 0.5 and e'
  t.deepEqual(usesIn(text), [
    { metric: 'a_bucket', labels: ['code', 'b'] },
    { metric: 'd', labels: [] },
    { metric: 'e', labels: [] },
    { metric: 'a_bucket', labels: ['le', 'route'] },
  ])
})

test('each expression of dashboard and alerts names metrics and labels that a running server exports', async (t) => {
  const labelsOf = await exported(t)
  const shown = [...dashboard(), ...alerts()]
  t.true(shown.length > 30)
  for (const { where, expression, text } of shown) {
    const uses = usesIn(expression)
    t.true(uses.length > 0, where)
    for (const { metric, labels } of uses) {
      t.true(labelsOf.has(metric), `${where}: ${metric} is not exported`)
      for (const label of labels)
        t.true(labelsOf.get(metric)?.has(label), `${where}: ${metric} has no label ${label}`)
    }
    for (const [, label = ''] of text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g))
      t.true(
        uses.some(({ labels }) => labels.includes(label)),
        `${where}: nothing is grouped by ${label}`,
      )
  }
})

test('each pattern of routes in dashboard and alerts fits routes that there are, and not all of them', (t) => {
  const routes = Object.values(endpoints).map(({ path }) => path)
  const patterns = [...dashboard(), ...alerts()].flatMap(({ expression }) => patternsFor(expression, 'route'))
  t.true(patterns.length > 0)
  for (const pattern of patterns) {
    const fitting = routes.filter((route) => new RegExp(`^(?:${pattern})$`).test(route))
    t.true(fitting.length > 0 && fitting.length < routes.length, `${pattern}: ${fitting.join()}`)
  }
})

test('what docs/how-to/monitor.md lists is what a running server exports', async (t) => {
  const labelsOf = await exported(t)
  const rows = [...textOf('docs/how-to/monitor.md').matchAll(/^\| `(account_import_\w+)` *\| ([^|]*?) *\|/gm)]
  t.true(rows.length > 15)
  const listed = new Set(textOf('docs/how-to/monitor.md').match(/account_import_\w+/g))
  const ofHistogram = /_(bucket|sum|count)$/
  for (const name of labelsOf.keys())
    if (name.startsWith('account_import_'))
      t.true(listed.has(name.replace(ofHistogram, '')) || listed.has(name), name)
  for (const [, name = '', labels = ''] of rows) {
    const own = [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label)
    const series = labelsOf.get(name) ?? labelsOf.get(`${name}_count`)
    t.deepEqual([...(series ?? [])].toSorted(), own.toSorted(), name)
  }
})
