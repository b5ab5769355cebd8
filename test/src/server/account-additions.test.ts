import { readFile } from 'node:fs/promises'
import test from 'ava'
import { openService, readConfig } from '@account-import/server'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'

const sample = async (file: string): Promise<Record<string, unknown>> =>
  JSON.parse(
    await readFile(new URL(`../../../examples/samples/${file}.json`, import.meta.url), 'utf8'),
  ) as Record<string, unknown>

type Shown = Readonly<{ details: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> }>

test('account show has what was added: pinned notes, transactions, statements and payment instructions', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t), PAYMENT_VENDORS: 'SANDBOX' }
  const config = readConfig(environment, 'operate')
  if (config._tag === 'Left') throw new Error('the configuration of the test is wrong')
  const service = await openService(config.right)
  const { operator, ...useCases } = service.useCases
  await operator.createOrganisation({ code: 'ACME' })()
  await operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' })()
  await operator.createTeam('North')()
  const send = (payload: Record<string, unknown>) => ({ organisation: 'ACME', payload })
  await useCases.stageAccount(send(await sample('gas-account')))()
  const request = {
    import_supplier_code: 'LEVANTE',
    external_account_number: 'LEV-G-000123',
    operations_team_name: 'North',
  }
  await useCases.processAccount(send(request))()
  const answers = [
    await useCases.addNotes(send(await sample('notes')))(),
    await useCases.addTransactions(send(await sample('transactions')))(),
    await useCases.addHistoricalStatements(send(await sample('historical-statements')))(),
    await useCases.addPaymentInstruction(send(await sample('payment-instruction')))(),
  ]
  await service.close()
  t.deepEqual(
    answers.map(({ _tag }) => _tag),
    ['Right', 'Right', 'Right', 'Right'],
  )

  const { stdout: json } = await cliInProcess(
    ['account', 'show', 'LEVANTE', 'LEV-G-000123', '--json'],
    environment,
  )
  const { details } = JSON.parse(json) as Shown
  t.like(
    details['notes']?.find(({ body }) => body === 'Aviso: perro en el patio.'),
    { is_pinned: true, created_at: '2025-05-06T08:05:00Z', unpin_at: '2025-08-06T08:05:00Z' },
  )
  t.like(details['statements']?.at(-1), { number: 'F25-004410', gross_amount: '68.90' })
  const [instruction] = details['payment_instructions'] ?? []
  t.like(instruction, { vendor: 'SANDBOX', reference: 'sandbox-card-000123', details: { last4: '4242' } })
  t.regex(String(instruction?.['created_at']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)

  const { stdout: text } = await cliInProcess(['account', 'show', 'LEVANTE', 'LEV-G-000123'], environment)
  for (const line of [
    /^2025-05-06T08:05:00Z +until 2025-08-06T08:05:00Z +Aviso: perro en el patio\.$/m,
    /^LEV-G-F-2024-12 +2024-12-01 +2024-12-31 +2025-01-08 +F24-118832 +71\.36 +statements\/\S+$/m,
    /Z +SANDBOX +CARD +sandbox-card-000123 +SANDBOX +4242 +2099-12$/m,
    /LEV-G-T-0101$/m,
  ])
    t.regex(text, line)
})
