import { endpoints } from '@account-import/http-contract'
import { requests, type Named } from './requests.js'

export type EndpointName = keyof typeof endpoints

/** The answer to the request of an endpoint, without what differs in every answer. */
export const send = async (baseUrl: string, name: EndpointName, named: Named, token: string | undefined) => {
  const { method, path } = endpoints[name]
  const { params = {}, body, lines } = requests[name].of(named)
  const address = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  const response = await fetch(baseUrl + address, {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Token ${token}` }),
      ...(body !== undefined && { 'Content-Type': lines ? 'application/x-ndjson' : 'application/json' }),
    },
    ...(body !== undefined && { body: `${JSON.stringify(body)}\n` }),
  })
  const id = response.headers.get('x-request-id') ?? ''
  const headers = [...response.headers].filter(([header]) => !['date', 'x-request-id'].includes(header))
  return { status: response.status, headers, text: (await response.text()).replaceAll(id, '') }
}
