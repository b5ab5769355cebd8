import { linesType } from '../lines.js'
import { requestBodies } from '../bodies.js'
import type { AddressedOperation } from './operations.js'

/** Takes a token for a key that is in a file, so that it is in no list of processes. */
export const tokenCommand = `URL=http://127.0.0.1:8080 # the address of this page, as far as /docs/
API_KEY_FILE=data/demo-api-key # where "account-import api-key create" was sent to
TOKEN=$(printf '{"query": "mutation { obtainToken(input: {apiKey: \\\\"%s\\\\"}) { token } }"}' "$(cat "$API_KEY_FILE")" \\
  | curl -sS "$URL/v1/graphql/" -H 'Content-Type: application/json' -d @- \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`

const inPath: Readonly<Record<string, string>> = {
  import_supplier_code: 'LEVANTE',
  external_account_number: 'LEV-E-000456',
}

const bodyOf = ({ requestBody }: AddressedOperation): readonly [type: string, text: string] | undefined => {
  if (requestBody === undefined) return undefined
  const json = requestBody.content['application/json']
  if (json === undefined) return [linesType, JSON.stringify(requestBodies.account.example)]
  return ['application/json', JSON.stringify(json.example, undefined, 2)]
}

/** The request of an operation as one command for a shell, once `tokenCommand` has run in it. */
export const curlCommand = (operation: AddressedOperation): string => {
  const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? name)
  const lines = [`curl -sS "$URL${address}"`, `  -H "Authorization: Token $TOKEN"`]
  const body = bodyOf(operation)
  if (body === undefined) return lines.join(' \\\n')
  const [type, text] = body
  return `${[...lines, `  -H 'Content-Type: ${type}' --data-binary @- <<'BODY'`].join(' \\\n')}\n${text}\nBODY`
}
