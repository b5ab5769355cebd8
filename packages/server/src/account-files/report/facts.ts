import { basename } from 'node:path'
import { html, type Html } from '@account-import/core/adapter-kit'
import { packageVersion } from '../../package-version.js'
import { oneCell, printable } from '../../printable.js'
import { accountsASecond, type FileTotals, type RunFacts } from '../counts.js'
import type { OutputPaths } from '../output/outputs.js'
import { decimalText, numberText, sizeText } from './numbers.js'
import { factList } from './parts.js'

/** The name of the file as a person knows it, without the folders of whoever ran it. */
export const fileTitle = (file: string): string =>
  file === '-' ? 'standard input' : printable(oneCell(basename(file)))

/** Where the table of all errors was written, if it was. */
export const errorsTitle = ({ errors }: OutputPaths): string | undefined =>
  errors === '-' ? 'the standard output' : errors === undefined ? undefined : fileTitle(errors)

/** Which bytes were checked. */
export const fileFacts = (file: string, { bytes, sha256 }: FileTotals): Html =>
  html`<section id="file">
    <h2>File</h2>
    ${factList([
      ['Name', fileTitle(file)],
      ['Size', bytes < 1024 ? sizeText(bytes) : `${sizeText(bytes)} (${numberText(bytes)} bytes)`],
      ['SHA-256', html`<code>${sha256}</code>`],
    ])}
  </section> `

/** When and how fast: the only part that differs between two runs over the same file. */
export const runSection = (facts: RunFacts, accounts: number, workersName = 'Workers'): Html =>
  html`<section id="run">
    <h2>This run</h2>
    ${factList([
      ['Date', `${facts.startedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`],
      ['Duration', `${decimalText(facts.seconds)} s`],
      ['Rate', `${numberText(accountsASecond(accounts, facts))} accounts a second`],
      [workersName, numberText(facts.workers)],
      ['Version', `account-import ${packageVersion()}`],
    ])}
  </section> `
