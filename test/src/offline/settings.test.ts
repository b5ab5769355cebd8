import { join } from 'node:path'
import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { account } from './support/accounts.js'
import { offline } from './support/offline.js'

const misspelt = `${JSON.stringify(account('A', { favourite_colour: 1 }))}\n`

test.serial('options validate as those of supplier configure do', async (t) => {
  const { put, summary, validate } = await offline(t)
  const file = await put('a.ndjson', misspelt)
  t.like(await summary([file], 0), { warnings: [{ code: 'unknown_field' }] })
  t.like(await summary([file, '--severity', 'unknown_field=error'], 1), {
    errors: [{ code: 'unknown_field' }],
  })
  t.like(await summary([file, '--severity', 'unknown_field=off'], 0), { valid_with_warnings: 0 })
  for (const wrong of [
    ['--severity', 'required=warn'],
    ['--close-list', 'colours=a:error'],
    ['--severity', 'x'],
  ])
    t.is((await validate([file, ...wrong])).code, 2, wrong.join(' '))
})

test.serial('the settings of a supplier validate as the service does, and options change them', async (t) => {
  const { put, summary, validate, path, folder } = await offline(t)
  const environment = { DATA_DIR: join(folder, 'data') }
  const configure = 'supplier configure S --severity unknown_field=error --close-list sales_channel=X:warn'
  for (const line of ['organisation create O', 'supplier create S --organisation O', configure])
    t.is((await cliInProcess(line.split(' '), environment)).code, 0, line)
  const shown = await cliInProcess(['supplier', 'show', 'S', '--json'], environment)
  await put('settings.json', shown.stdout)
  const file = await put('a.ndjson', misspelt)
  const args = [file, '--settings', path('settings.json')]
  t.like(await summary(args, 1), { errors: [{ code: 'unknown_field' }] })
  t.like(await summary([...args, '--severity', 'unknown_field=warn'], 0), { failed: 0 })
  for (const wrong of ['{', '{}', '{"settings": {"colour": 1}}', '{"settings": {"severities": 1}}', 'null'])
    t.is((await validate([file, '--settings', await put('wrong.json', wrong)])).code, 2, wrong)
  t.is((await validate([file, '--settings', path('none.json')])).code, 3)
})

test.serial('country and day come from the configuration, and a day may be named', async (t) => {
  const { put, validate, text, path } = await offline(t)
  const file = await put('a.ndjson', misspelt)
  const day = async (environment: Record<string, string>, ...args: string[]): Promise<string> => {
    const { code } = await validate([file, '--report', path('r.html'), ...args], environment)
    t.is(code, 0)
    return /<dt>Day<\/dt>\s*<dd>([^<]+)<\/dd>/.exec(await text('r.html'))?.[1] ?? ''
  }
  t.is(await day({}, '--today', '2031-01-02'), '2031-01-02')
  const [east, west] = [
    await day({ TIME_ZONE: 'Pacific/Kiritimati' }),
    await day({ TIME_ZONE: 'Pacific/Niue' }),
  ]
  t.true(east > west, 'the two zones are 25 hours apart')
  await day({ DEFAULT_COUNTRY: 'FR' })
  t.regex(await text('r.html'), /<dd>FR<\/dd>/)
  t.is((await validate([file], { TIME_ZONE: 'Mars' })).code, 2)
  for (const wrong of [
    ['--today', '2023-02-29'],
    ['--workers', '0'],
    ['--workers', 'x'],
  ])
    t.is((await validate([file, ...wrong])).code, 2, wrong.join(' '))
})

test.serial('a summary for people names counts, codes and the files that were written', async (t) => {
  const { put, validate, path } = await offline(t)
  const file = await put('a.ndjson', `${misspelt}{}\n`)
  const { code, stdout, stderr } = await validate([file, '--report', path('r.html')])
  t.is(code, 1)
  t.is(stdout, '')
  t.regex(stderr, /^Checked 2 accounts on 2 lines in /)
  t.regex(stderr, /^1 valid, 1 of them with warnings; 1 failed\.$/m)
  t.regex(stderr, /^error +required +1 +3 +2 +\w+$/m)
  t.regex(stderr, /^warning +unknown_field +1 +1 +1 +favourite_colour$/m)
  t.true(stderr.includes(`Written: ${path('r.html')}\n`))
  t.regex(stderr, /^Not checked offline: /m)
})
