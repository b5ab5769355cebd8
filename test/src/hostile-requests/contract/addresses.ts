import { operations, problemWith, type DeclaredAnswer, type Operation } from './contract.js'

/** What may be answered to a request, and by which endpoint. */
export type Allowed = Readonly<{
  /** The endpoint as it is counted: `POST /v1/…`, or what the request is instead. */
  endpoint: string
  operation?: Operation
  /** Several where it is not said which of them the service sees. */
  answers: readonly ReadonlyMap<number, DeclaredAnswer>[]
}>

/** The service cannot take it for a request. */
const noHttp = new Map([400, 408, 431].map((status) => [status, problemWith(['parse_error'])] as const))

/** Whatever is asked. */
const anywhere = new Map<number, DeclaredAnswer>([
  ...noHttp,
  [404, problemWith(['not_found'])],
  [429, problemWith(['throttled'], ['Retry-After'])],
])

const wrongMethod = new Map([[405, problemWith(['method_not_allowed'], ['Allow'])]])

const special = /[.*+?^$()|[\]\\/]/g

/** As the service takes it: with or without the slash at the end, one segment for each parameter. */
const formOf = ({ path }: Operation): RegExp =>
  new RegExp(
    `^${path
      .replace(special, String.raw`\$&`)
      .replace(/\{\w+\}/g, '[^/]+')
      .replace(/\\\/$/, String.raw`\/?`)}$`,
  )

const forms = operations.map((operation) => ({ operation, form: formOf(operation) }))

/** A path in which nothing is written in more than one way; of what is decoded twice or not at all the service may say 404. */
const isPlain = (path: string): boolean => {
  try {
    return path.split('/').every((part) => encodeURIComponent(decodeURIComponent(part)) === part)
  } catch {
    return false
  }
}

/** What may be answered to a request with this method and target that is good HTTP. */
export const allowedFor = (method: string, target: string): Allowed => {
  const path = target.split(/[?#]/, 1)[0] ?? ''
  const at = forms.filter(({ form }) => form.test(path)).map(({ operation }) => operation)
  const operation = at.find((each) => each.method === (method === 'HEAD' ? 'GET' : method))
  if (operation !== undefined) {
    const endpoint = `${operation.method} ${operation.path}`
    const isClear = isPlain(path) && !target.includes('#')
    return { endpoint, operation, answers: isClear ? [operation.answers] : [operation.answers, anywhere] }
  }
  if (at[0] !== undefined) return { endpoint: 'another method', answers: [wrongMethod, anywhere] }
  return { endpoint: 'another address', answers: [anywhere, wrongMethod] }
}

/** What may be answered to bytes that are no request in good form. */
export const allowedForBytes = (method: string, target: string): Allowed => ({
  ...allowedFor(method, target),
  endpoint: 'bytes',
  answers: [noHttp, anywhere, wrongMethod, ...allowedFor(method, target).answers],
})
