import type { World } from '../support/world.js'
import { answer } from '../../support/answers.js'
import type { Journey } from '../support/journey.js'
import type { RawAnswer } from '../support/raw-api.js'
import { failureOf } from '../../support/results.js'
import { gasAccount } from '../../support/samples.js'
import { freshCode, setUp } from '../../support/set-up.js'
import { tokenOf } from '../support/token-of.js'

const base = '/v1/data-import'

/** Everything that names a supplier, asked with the token; what differs by the supplier's own code is made equal. */
const everyAnswer = async (
  { raw, team }: World,
  token: string,
  supplier: string,
): Promise<readonly RawAnswer[]> => {
  const account = gasAccount(supplier, 'A-1')
  const process = {
    external_account_number: 'A-1',
    import_supplier_code: supplier,
    operations_team_name: team,
  }
  const answers = [
    await raw.post(`${base}/validate-account/`, token, account),
    await raw.post(`${base}/account-import-process/create-or-update/`, token, account),
    await raw.post(`${base}/account-import-process/process/`, token, process),
    await raw.post(`${base}/account-import-process/process/`, token, { ...process, dry_run: true }),
    await raw.get(`${base}/account-transfer-status/${supplier}/A-1/`, token),
  ]
  for (const list of ['all', 'pending', 'imported'])
    for (const query of ['', '?limit=10'])
      answers.push(await raw.get(`${base}/${list}-account-import-processes/${supplier}/${query}`, token))
  return answers
}

const otherOrganisations: Journey = {
  title: "another organisation's supplier answers byte for byte as a supplier that does not exist",
  run: async (t, open) => {
    const world = await open()
    const { client, operator, supplier, raw, apiKey, process, stores, key } = world
    for (const number of ['A-1', 'A-2']) await client.stageAccount(gasAccount(supplier, number))
    await process('A-2')
    const before = await answer(stores.accountImports.find(key('A-1')))
    const stranger = await setUp(operator)
    const token = await tokenOf(raw, stranger.apiKey)
    const ofOther = await everyAnswer(world, token, supplier)
    const ofNobody = await everyAnswer(world, token, freshCode('SUP'))
    t.deepEqual(ofOther, ofNobody)
    t.deepEqual(
      ofOther.map(({ status }) => status),
      [400, 400, 400, 400, 404, 404, 404, 404, 404, 404, 404],
    )
    t.deepEqual(await answer(stores.accountImports.find(key('A-1'))), before)
    const own = await everyAnswer(world, await tokenOf(raw, apiKey), supplier)
    t.is(own.at(-1)?.status, 200, 'the supplier is there for its own organisation')
  },
}

const unknownSupplier: Journey = {
  title: 'an unknown supplier is a validation entry of its field in a body, and 404 not_found in a path',
  run: async (t, open) => {
    const { client, team } = await open()
    const account = gasAccount('NOBODY', 'A-1')
    const request = {
      external_account_number: 'A-1',
      import_supplier_code: 'NOBODY',
      operations_team_name: team,
    }
    const entries = [
      ['account_failed_validation', 'import_supplier', await client.validateAccount(account)],
      ['account_failed_validation', 'import_supplier', await client.stageAccount(account)],
      ['request_failed_validation', 'import_supplier_code', await client.processAccount(request)],
    ] as const
    for (const [code, attr, result] of entries) {
      const { status, problem } = failureOf(result)
      t.deepEqual([status, problem.code], [400, code])
      t.deepEqual(
        problem.errors.map((entry) => [entry.attr, entry.code]),
        [[attr, 'import_supplier_does_not_exist']],
      )
    }
    const paths = [
      await client.transferStatus('NOBODY', 'A-1'),
      await client.listAccountImports({ importSupplier: 'NOBODY', list: 'all' }),
    ]
    for (const result of paths) {
      const { status, problem } = failureOf(result)
      t.deepEqual([status, problem.code, problem.errors], [404, 'not_found', []])
    }
  },
}

export const isolationJourneys: readonly Journey[] = [otherOrganisations, unknownSupplier]
