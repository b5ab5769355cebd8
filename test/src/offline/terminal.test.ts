import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { columns, table } from '@account-import/cli/kit'
import test from 'ava'
import { bin } from '../support/cli-process.js'
import { root } from '../support/repository.js'

const headings = ['ID', 'STATE', 'CREATED', 'LABEL']
const rows = [
  ['6LUqIZWP41yz23ntEazvxW', 'interrupted', '1,234,567', 'Levante wave 3'],
  ['4SbcbHJWsmQvuWsqpkfUQI', 'finished', '2', ''],
]

const paragraphs = [
  '6LUqIZWP41yz23ntEazvxW',
  '  state interrupted   created 1,234,567',
  '  label Levante wave 3',
  '4SbcbHJWsmQvuWsqpkfUQI',
  '  state finished   created 2',
]

test('a table has columns while these fit the terminal, and is a paragraph for each row below', (t) => {
  t.is(
    table(headings, rows, 62),
    [
      'ID                      STATE        CREATED    LABEL',
      '6LUqIZWP41yz23ntEazvxW  interrupted  1,234,567  Levante wave 3',
      '4SbcbHJWsmQvuWsqpkfUQI  finished     2',
    ].join('\n'),
  )
  t.is(table(headings, rows, 61), paragraphs.join('\n'))
})

test('a value that is longer than the terminal is wide is not cut', (t) => {
  const path = 'supply_addresses.0.supply_points.0.identifier'
  t.is(table(['CODE', 'FIELD'], [['blank', path]], 20), `blank\n  field ${path}`)
})

test('items that are printed one by one have no headings where each is a paragraph', (t) => {
  const all = headings.map((heading, at) => [heading, 22, (row: readonly string[]) => row[at] ?? ''] as const)
  const narrow = columns(all, 45)
  t.is(narrow.headings, '')
  t.deepEqual(rows.map(narrow.text).join('\n').split('\n'), paragraphs)
  t.regex(columns(all, 94).headings, /^ID +STATE +CREATED +LABEL$/)
})

/** The output of the check of a file on a terminal with 80 columns. */
const onTerminal = async (environment: string): Promise<string> => {
  const file = join(root, 'examples/samples/accounts.ndjson')
  const command = `stty cols 80; env -u FORCE_COLOR -u NO_COLOR -u CI TERM=xterm ${environment} '${process.execPath}' '${bin}' validate '${file}'`
  const { stdout } = await promisify(execFile)('script', ['-qec', `${command}; true`, '/dev/null'])
  return stdout.replaceAll('\r\n', '\n')
}

test('on a terminal the severity has a colour, and no line is wider than the terminal', async (t) => {
  const shown = await onTerminal('')
  t.true(
    shown.includes('\n\u001b[31merror\u001b[39m     blank\n  accounts 1   times 1   first line 3   field'),
    shown,
  )
  const [, table = ''] = shown.split(/with warnings;|\nMeaning/)
  t.deepEqual(
    stripVTControlCharacters(table)
      .split('\n')
      .filter((line) => line.length > 80 && line.trim().includes(' ')),
    [],
  )
})

test('NO_COLOR takes the colour away', async (t) => {
  t.regex(await onTerminal('NO_COLOR=1'), /^error {5}blank$/m)
})
