import test from 'ava'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { onBackend } from '../support/on-backend.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase } from '../support/shared-database.js'

// PostgreSQL has no text with the character of the code 0, and refuses a statement with one.

test('a null character in an address, a login, a cursor or a body is a fault of the request', (t) =>
  onBackend.postgresql(async (url) => {
    const database = await openSharedDatabase(url)
    const { address, kill } = await startServerProcess(database.environment)
    try {
      const api = rawApi(address)
      const token = await tokenOf(api, database.apiKey)
      const base = '/v1/data-import'
      const cursor = Buffer.from(JSON.stringify(['A\0'])).toString('base64url')
      const { supplier } = database
      const gets = {
        404: [
          `/account-transfer-status/${supplier}/A%00/`,
          '/account-transfer-status/L%00/A/',
          '/account-import-summary/L%00/',
          `/account-digest/${supplier}/A%00/`,
          '/import-runs/A%00/',
          '/open-failures/L%00/',
        ],
        400: [
          '/import-runs/?import_supplier=L%00',
          `/all-account-import-processes/${supplier}/?cursor=${cursor}`,
          `/pending-account-import-processes/${supplier}/?cursor=%00`,
        ],
      }
      for (const [expected, paths] of Object.entries(gets))
        for (const path of paths) {
          const { status, text } = await api.get(`${base}${path}`, token)
          t.is(status, Number(expected), `${path} ${text}`)
        }
      const opened = await api.post(`${base}/import-runs/`, token, { import_supplier: supplier, label: 'R' })
      t.is(opened.status, 201, opened.text)
      const { id } = JSON.parse(opened.text) as Readonly<{ id: string }>
      const bodies = {
        '/account-import-process/create-or-update/': {
          import_supplier: supplier,
          external_account_number: 'A\0',
        },
        '/account-import-process/process/': {
          import_supplier_code: supplier,
          external_account_number: 'A\0',
          operations_team_name: 'T\0',
        },
        '/import-runs/': { import_supplier: supplier, label: 'R\0' },
      }
      for (const [path, body] of Object.entries(bodies)) {
        const { status, text } = await api.post(`${base}${path}`, token, body, { 'Import-Run': id })
        t.is(status, 400, `${path} ${text}`)
      }
      const failures = await api.get(`${base}/import-runs/${id}/failures/`, token)
      t.regex(failures.text, /null_characters_not_allowed/)
      t.is(await api.obtain({ apiKey: `${database.apiKey.split('.')[0]}\0.x` }), 'AUTHENTICATION_FAILED')
    } finally {
      await kill()
      await database.close()
    }
  }))
