import { names, numberTemplate } from './names.js'
import type { PayloadKind } from './payload-kind.js'
import { payloadTemplates } from './payload-templates.js'
import { makeStamp } from './stamp.js'
import { transactionsTemplate } from './transactions-template.js'
import type { SingleVerb } from './verbs.js'

const processTemplate = JSON.stringify({
  external_account_number: numberTemplate,
  import_supplier_code: names.supplier,
  operations_team_name: names.team,
})

/** The bodies of requests with `placeholder` in them; account `i` is sent with template `i` modulo their number. */
export const bodyTemplates = (verb: SingleVerb, payload: PayloadKind): readonly string[] => {
  if (verb === 'process') return [processTemplate]
  return verb === 'transactions' ? [transactionsTemplate()] : payloadTemplates(payload)
}

/** Gives bytes made from the templates for any account. */
export const stamped = (templates: readonly string[]): ((index: number) => Buffer) => {
  const stamps = templates.map(makeStamp)
  return (index) => {
    const stamp = stamps[index % stamps.length]
    if (stamp === undefined) throw new Error('There are no templates')
    return stamp.withNumber(index)
  }
}
