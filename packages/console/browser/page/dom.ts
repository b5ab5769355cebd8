import type { Order, PageData, Report } from './protocol.js'

type Child = Node | string | undefined | readonly Child[]

/** An element with attributes and content. Texts become text nodes, so that no data is ever markup. */
export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly Child[]
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  const add = (child: Child): void => {
    if (typeof child === 'string' || child instanceof Node) made.append(child)
    else for (const each of child ?? []) add(each)
  }
  add(content)
  return made
}

/** A table whose first column names its rows; `num` columns are numbers. */
export const table = (
  caption: string,
  columns: readonly (readonly [name: string, kind?: 'num'])[],
  rows: readonly (readonly Child[])[],
): HTMLElement => {
  const kind = (at: number): Readonly<Record<string, string>> =>
    columns[at]?.[1] === undefined ? {} : { class: columns[at][1] }
  const head = columns.map(([name], at) =>
    name === '' ? element('td', kind(at)) : element('th', { scope: 'col', ...kind(at) }, name),
  )
  const body = rows.map(([name, ...cells]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, name),
      cells.map((cell, at) => element('td', kind(at + 1), cell)),
    ),
  )
  const whole = element(
    'table',
    {},
    caption === '' ? undefined : element('caption', {}, caption),
    element('thead', {}, element('tr', {}, head)),
    element('tbody', {}, body),
  )
  return element('div', { class: 'table' }, whole)
}

/** A list of names and values. */
export const facts = (entries: readonly (readonly [name: string, value: Child])[]): HTMLElement =>
  element(
    'dl',
    {},
    entries.map(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  )

/** Saves a blob of this page under a name. */
const save = (blob: Blob, name: string): void => {
  const link = element('a', { href: URL.createObjectURL(blob), download: name })
  link.click()
  // The browser has taken the blob when the click has been handled; a minute is long enough for the slowest disk.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

export const saveButton = (words: string, name: string, blobOf: () => Blob): HTMLButtonElement => {
  const button = element('button', { type: 'button' }, words)
  button.addEventListener('click', () => save(blobOf(), name))
  return button
}

export const find = <Found extends HTMLElement>(id: string): Found => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no element ${id}.`)
  return found as Found
}

export const pageData = (): PageData => JSON.parse(find('console-data').textContent ?? '') as PageData

/** The absolute address of the API for scripts of the console. */
export const apiAddress = ({ root }: PageData): string => new URL(`${root}console/api`, location.href).href

/** Gives the files that a visitor chooses, or drops anywhere on the page, to `take`. */
export const onFiles = (input: HTMLInputElement, take: (files: readonly File[]) => void): void => {
  const given = (files: FileList | null | undefined): void => {
    if (files !== null && files !== undefined && files.length > 0 && !input.disabled) take([...files])
  }
  input.addEventListener('change', () => given(input.files))
  // The same file may be chosen again.
  input.addEventListener('click', () => {
    input.value = ''
  })
  const mark = (isOver: boolean) => (event: Event) => {
    event.preventDefault()
    document.body.classList.toggle('dropping', isOver)
  }
  addEventListener('dragover', mark(true))
  addEventListener('dragleave', mark(false))
  addEventListener('drop', (event) => {
    mark(false)(event)
    const files = event.dataTransfer?.files
    // The field names what is read.
    if (files !== undefined && !input.disabled) input.files = files
    given(files)
  })
}

/** Shows the state of the work, and a button that ends it. */
const progressShown = (stop: () => void) => {
  const [text, trouble] = [element('p', { role: 'status' }, 'Reading'), element('p', { class: 'warn' })]
  const bar = element('progress', { max: '1', value: '0', 'aria-label': 'Progress' })
  const button = element('button', { type: 'button' }, 'Stop')
  button.addEventListener('click', stop)
  find('work').replaceChildren(bar, text, trouble, button)
  return ({ part, text: words, trouble: why = '' }: Extract<Report, { kind: 'progress' }>): void => {
    bar.value = part
    text.textContent = `${Math.floor(part * 100)} %: ${words}`
    trouble.textContent = why === '' ? '' : `${why} Trying again.`
  }
}

const callout = (tone: string, words: string): HTMLElement =>
  element('p', { class: `callout ${tone}`, role: 'alert' }, words)

/** The worker of a page, which does one order after the other. */
export class Work {
  private worker: Worker | undefined

  /**
   * Calls `take` with the last report. A failure, or a stop of the visitor, is shown with its words, and calls `failed`. `stopWords`: what is
   * true after a stop.
   */
  start(
    order: Order,
    stopWords: string,
    take: (report: Report) => void,
    failed: () => void = () => {},
  ): void {
    const ended = (tone: string, words: string): void => {
      find('work').replaceChildren(callout(tone, words))
      failed()
    }
    const worker = (this.worker ??= new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }))
    const show = progressShown(() => {
      this.end()
      ended('warn', stopWords)
    })
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      if (data.kind === 'progress') return show(data)
      if (data.kind === 'failed') return ended('bad', data.message)
      find('work').replaceChildren()
      take(data)
    }
    worker.onerror = () => {
      this.end()
      ended('bad', 'The work ended unexpectedly. Choose the file again.')
    }
    worker.postMessage(order)
  }

  /** Whether a worker is there, with the file that it checked. */
  get isBegun(): boolean {
    return this.worker !== undefined
  }

  /** Ends the worker, and forgets the file that it checked. */
  end(): void {
    this.worker?.terminate()
    this.worker = undefined
  }
}
