import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'

/** A program that embeds the API and says nothing of a log. */
const program = `
  const { createApp } = await import(process.argv[1])
  const { makeUseCases } = await import(process.argv[2])
  const { inMemoryPorts } = await import(process.argv[3])
  const ready = { ready: true, components: {} }
  const app = createApp(makeUseCases(inMemoryPorts()), { readiness: async () => ready })
  const server = app.listen(0, '127.0.0.1', async () => {
    const address = 'http://127.0.0.1:' + server.address().port
    for (const path of ['/livez', '/v1/data-import/validate/']) await (await fetch(address + path)).text()
    server.closeAllConnections()
    server.close()
  })
`

test('an application without a log of its own writes a line of JSON to stderr for each request, but not for probes', async (t) => {
  const packages = ['adapter-http-koa', 'core', 'core/in-memory'].map((name) =>
    import.meta.resolve(`@account-import/${name}`),
  )
  const args = ['--input-type=module', '-e', program, ...packages]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  t.is(stdout, '')
  const [line = '', ...others] = stderr.trim().split('\n')
  t.deepEqual(others, [])
  const entry = JSON.parse(line) as Readonly<Record<string, unknown>>
  t.like(entry, { event: 'request', method: 'GET', status: 404 })
  t.false(Number.isNaN(Date.parse(String(entry['time']))))
})
