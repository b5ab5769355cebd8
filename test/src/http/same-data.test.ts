import type { Scope } from '@account-import/core'
import { endpoints } from '@account-import/http-contract'
import test from 'ava'
import { leastText, organisation, processing, right, service } from '../use-cases/support/service.js'
import { serve } from './support/serve.js'

test('bulk-validate returns same_data to keys with scope read or stage only', async (t) => {
  const { useCases } = await service()
  const { baseUrl } = await serve(t, useCases)
  await right(useCases.stageAccount({ organisation, payload: JSON.parse(leastText('A')) as unknown }))
  await right(processing(useCases, { external_account_number: 'A' }))
  const told = async (scopes: readonly Scope[]): Promise<unknown> => {
    const { apiKey } = await right(useCases.operator.createApiKey({ organisation, scopes }))
    const credentials = { apiKey }
    const { token } = await right(useCases.obtainToken({ credentials, address: 'here' }))
    const answer = await fetch(baseUrl + endpoints.bulkValidate.path, {
      method: 'POST',
      headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/x-ndjson' },
      body: leastText('A'),
    })
    const [line = ''] = (await answer.text()).split('\n')
    const { staging: state, same_data } = JSON.parse(line) as Record<string, unknown>
    return [state, same_data]
  }
  t.deepEqual(await told(['validate']), ['account_already_imported', undefined])
  t.deepEqual(await told(['validate', 'process']), ['account_already_imported', undefined])
  t.deepEqual(await told(['validate', 'read']), ['account_already_imported', true])
  t.deepEqual(await told(['validate', 'stage']), ['account_already_imported', true])
})
