import { endpoints } from '@account-import/http-contract'
import test from 'ava'
import { leastText, organisation, processing, right } from '../use-cases/support/service.js'
import { servedConsole } from '../console/support/served-console.js'

test('bulk-validate returns same_data to keys with scope read or stage only', async (t) => {
  const { baseUrl, useCases, keyOf } = await servedConsole(t)
  await right(useCases.stageAccount({ organisation, payload: JSON.parse(leastText('A')) as unknown }))
  await right(processing(useCases, { external_account_number: 'A' }))
  const told = async (scopes: Parameters<typeof keyOf>[0]): Promise<unknown> => {
    const credentials = { apiKey: await keyOf(scopes) }
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
