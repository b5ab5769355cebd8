import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '@account-import/server'
import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'

test('production has no sandbox: not by default, not by name, not in a file; and says how to go on', async (t) => {
  const folder = await tempFolder(t)
  const file = join(folder, 'vendors.json')
  await writeFile(file, JSON.stringify({ vendors: [{ code: 'CANARY', kind: 'sandbox' }] }))
  const faultOf = (environment: Record<string, string>): string => {
    const read = readConfig({ NODE_ENV: 'production', ...environment }, 'serve')
    return read._tag === 'Left' ? read.left.map(({ variable, detail }) => `${variable} ${detail}`).join() : ''
  }
  for (const environment of [{}, { PAYMENT_VENDORS: ' ' }, { NODE_ENV: ' production ' }])
    t.regex(faultOf(environment), /^PAYMENT_VENDORS is required in production .* a JSON file .* or none/)
  for (const PAYMENT_VENDORS of ['SANDBOX', file])
    t.regex(
      faultOf({ PAYMENT_VENDORS }),
      /^PAYMENT_VENDORS must have no vendor of kind sandbox .* out of the file/,
    )
  t.is(faultOf({ PAYMENT_VENDORS: 'none' }), '')
  t.is(readConfig({ NODE_ENV: 'production' }, 'operate')._tag, 'Right', 'commands ask no vendor')
  const { code, stdout, stderr } = await cliInProcess(['serve', '--demo'], {
    NODE_ENV: 'production',
    PAYMENT_VENDORS: 'none',
    DATA_DIR: folder,
  })
  t.deepEqual([code, stdout], [2, ''])
  t.regex(stderr, /leave --demo out .* leave NODE_ENV=production out/s)
  t.deepEqual(await readdir(folder), ['vendors.json'])
})
