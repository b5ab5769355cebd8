import {
  accountCounts,
  equalText,
  numberText,
  type Proof,
  proofLists,
  verdictText,
} from '@account-import/account-files'
import { apiAddress, element, facts, find, onFiles, pageData, saveButton, table, Work } from './page/dom.js'

const data = pageData()
const work = new Work()
const [input, supplierInput] = [find<HTMLInputElement>('file'), find<HTMLSelectElement>('supplier')]
const results = find('results')

const mark = (isEqual: boolean): HTMLElement =>
  isEqual ? element('span', { class: 'good' }, 'equal') : element('strong', { class: 'bad' }, 'differs')

const numbersLists = (proof: Proof): Node[] =>
  proofLists(proof).flatMap(({ title, list: { count, named } }) => [
    element('h2', {}, `${title}: ${numberText(count)}`),
    element(
      'p',
      {},
      named.map((number) => [element('code', {}, element('bdi', {}, number)), ' ']),
      count > named.length ? `and ${numberText(count - named.length)} more` : undefined,
    ),
  ])

const different = ({ different: { count, named } }: Proof): Node[] =>
  count === 0
    ? []
    : [
        element('h2', {}, `Different accounts: ${numberText(count)}`),
        table(
          '',
          [['Account'], ['Where']],
          named.map(({ number, paths }) => [element('bdi', {}, number), paths?.join(', ') ?? 'not examined']),
        ),
      ]

/** The same content as that of the page that the command `reconcile` writes. */
const proofParts = (proof: Proof): Node[] => [
  element(
    'p',
    { class: `callout ${proof.proved ? 'good' : 'bad'}` },
    `${equalText(proof)} ${verdictText(proof)}`,
  ),
  table(
    'Sums',
    [['Figure'], ['Files', 'num'], ['Staged', 'num'], ['Created', 'num'], ['']],
    proof.figures.map((row) => [row.name, row.file, row.staged, row.created, mark(row.equal)]),
  ),
  table(
    'Accounts or lines',
    [['Kind'], ['Count', 'num']],
    accountCounts(proof).map(({ name, count }) => [name, numberText(count)]),
  ),
  ...different(proof),
  ...numbersLists(proof),
  element('h2', {}, 'Run'),
  facts([
    ['Supplier', proof.import_supplier],
    ['Service', proof.run.url],
    ['Run by', element('bdi', {}, proof.run.by)],
    ['At', proof.run.at],
    ['Version of the rules', proof.run.version],
  ]),
  table(
    'Files',
    [['File'], ['Bytes', 'num'], ['Accounts', 'num'], ['SHA-256']],
    proof.files.map(({ name, bytes, accounts, sha256 }) => [
      element('bdi', {}, name),
      numberText(bytes),
      numberText(accounts),
      element('code', {}, sha256),
    ]),
  ),
]

/** A page of its own: the proof with the styles of this page, and without scripts. */
const standalone = (title: string, proof: HTMLElement): Blob => {
  const page = document.implementation.createHTMLDocument(title)
  page.documentElement.lang = 'en'
  const charset = page.createElement('meta')
  charset.setAttribute('charset', 'utf-8')
  const style = page.createElement('style')
  style.textContent = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .map(({ cssText }) => cssText)
    .join('\n')
  page.head.prepend(charset, style)
  const main = page.createElement('main')
  const heading = page.createElement('h1')
  heading.textContent = title
  main.append(heading, page.importNode(proof, true))
  page.body.append(main)
  return new Blob(['<!doctype html>', page.documentElement.outerHTML], { type: 'text/html' })
}

const showProof = (proof: Proof): void => {
  const title = `Reconciliation of ${proof.import_supplier}`
  const whole = element('div', {}, proofParts(proof))
  const print = element('button', { type: 'button' }, 'Print')
  print.addEventListener('click', () => globalThis.print())
  const heading = element('h2', { tabindex: '-1' }, title)
  const json = (): Blob => new Blob([JSON.stringify(proof, undefined, 2)], { type: 'application/json' })
  results.replaceChildren(
    heading,
    element(
      'p',
      { class: 'actions' },
      saveButton('Save as a page', 'proof.html', () => standalone(title, whole)),
      ' ',
      saveButton('Save as JSON', 'proof.json', json),
      ' ',
      print,
    ),
    whole,
  )
  heading.focus()
}

onFiles(input, (files) => {
  const supplier = data.suppliers.find(({ code }) => code === supplierInput.value)
  if (supplier === undefined) return
  results.replaceChildren()
  work.end()
  work.start(
    { kind: 'prove', api: apiAddress(data), files, supplier, by: data.who },
    'Stopped. Nothing was changed.',
    (report) => {
      if (report.kind === 'proved') showProof(report.proof)
    },
    () => work.end(),
  )
})
input.disabled = false
