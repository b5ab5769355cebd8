// Imports an account by the client: node client.js <address> <API key> <file of an account>
import { readFileSync } from 'node:fs'
import { createClient } from '@account-import/client'

const [baseUrl, apiKey, file] = process.argv.slice(2) as [string, string, string]
const account = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly import_supplier: string
  readonly external_account_number: string
}
const client = createClient({ baseUrl, apiKey })
const staged = await client.stageAccount(account)
if (!staged.ok) throw new Error(`staging: ${staged.code}`)
const created = await client.processAccount({
  import_supplier_code: account.import_supplier,
  external_account_number: account.external_account_number,
  operations_team_name: 'Demo team',
})
if (!created.ok) throw new Error(`processing: ${created.code}`)
console.log(created.body.platform_account_number)
