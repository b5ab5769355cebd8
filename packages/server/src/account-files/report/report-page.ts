import { createHash } from 'node:crypto'
import { html, Html, noHtml } from '@account-import/core/adapter-kit'
import type { FileTotals } from '../counts.js'
import { charts } from './charts.js'
import { codeDetails } from './code-details.js'
import { spreadSection } from './charts.js'
import { wholeFileSections } from './whole-file.js'

/** The whole look of the report: no font, picture or script from anywhere; light, dark, phone and paper. */
const styles = `
:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1b2430;--soft:#5a6675;--line:#e1e5ea;
--track:#eceff3;--bad:#c2352b;--warn:#94600f;--good:#23805a;--accent:#2b5fb3;--badsoft:#fdecea;--warnsoft:#fdf4e3;
--goodsoft:#e6f5ee}
@media (prefers-color-scheme:dark){:root{--page:#12161c;--card:#1b2129;--ink:#e6ebf1;--soft:#9aa7b6;--line:#2d3641;
--track:#2a323d;--bad:#f0776c;--warn:#e3b04f;--good:#5cc596;--accent:#85b0f5;--badsoft:#3a2120;--warnsoft:#362b17;
--goodsoft:#18332a}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1080px;margin:0 auto;padding:32px 20px 48px}
h1{font-size:27px;line-height:1.2;margin:0 0 4px}h2{font-size:19px;margin:0 0 4px}h3{font-size:16px;margin:0}
p{margin:0 0 12px}a{color:var(--accent)}
code{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
.soft{color:var(--soft)}.small{font-size:13px}
section,.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:20px 22px;margin:16px 0}
.verdict{border-left:6px solid var(--good);background:var(--goodsoft);font-size:17px}
.verdict.bad{border-left-color:var(--bad);background:var(--badsoft)}
.verdict.warn{border-left-color:var(--warn);background:var(--warnsoft)}
.verdict p{margin:0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:16px 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px}
.tile dt{color:var(--soft);font-size:13px}.tile dd{margin:0;font-size:26px;font-weight:650;line-height:1.25}
.tile dd small{font-size:13px;font-weight:400;color:var(--soft);display:block}
.tile.bad dd{color:var(--bad)}.tile.warn dd{color:var(--warn)}.tile.good dd{color:var(--good)}
svg{display:block}
.share{width:100%;height:26px;border-radius:6px;margin:12px 0}
.fill-good{fill:var(--good)}.fill-warn{fill:var(--warn)}.fill-bad{fill:var(--bad)}.fill-track{fill:var(--track)}
.dot{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:8px}
.dot.good{background:var(--good)}.dot.warn{background:var(--warn)}.dot.bad{background:var(--bad)}
.two{display:grid;grid-template-columns:1fr 1fr;gap:16px}.two>section{margin:0;min-width:0}.two{margin:16px 0}
table{border-collapse:collapse;width:100%;font-size:14px}
caption{text-align:left;color:var(--soft);font-size:13px;padding:0 0 6px}
th,td{text-align:left;padding:6px 10px 6px 0;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child>*{border-bottom:0}
thead th{color:var(--soft);font-weight:600;font-size:12.5px}
tbody th{font-weight:400}
.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}th.num:last-child,td.num:last-child{padding-right:0}
.bars td.bar{width:34%;min-width:70px;padding-top:10px}.bar svg{width:100%;height:12px;border-radius:3px}
.num+td:not(.num),.num+th:not(.num){padding-left:14px}.places th:first-child{width:42%}.places th.num{width:10%}
.spread{width:100%;height:auto;max-height:240px}.spread text{fill:var(--soft);font-size:12px;text-anchor:middle}
.spread .value{fill:var(--ink);font-weight:600}
.code{border-top:1px solid var(--line);margin:0}.code>summary{display:flex;flex-wrap:wrap;gap:0 12px;align-items:baseline;
padding:9px 4px 9px 22px;color:inherit;position:relative}
.code>summary::before{content:"▸";color:var(--accent);position:absolute;left:4px}
.code[open]>summary::before{content:"▾"}.code h3 code{font-size:15px;font-weight:650}
.code[open]{padding-bottom:14px}h2+.code{border-top:0}.rest>summary{padding:9px 4px}
.tag{font-size:12px;border-radius:99px;padding:1px 9px;background:var(--track);white-space:nowrap}
.tag.bad{background:var(--badsoft);color:var(--bad)}.tag.warn{background:var(--warnsoft);color:var(--warn)}
.facts{display:grid;grid-template-columns:minmax(130px,max-content) 1fr;gap:6px 18px;margin:8px 0 0}
.facts dt{color:var(--soft)}.facts dd{margin:0;min-width:0;overflow-wrap:anywhere}
details{margin:8px 0 0}summary{cursor:pointer;color:var(--accent);font-size:14px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
pre{overflow-x:auto;margin:0;padding:10px 12px;border-radius:8px;background:var(--track)}pre code{overflow-wrap:normal}
nav ul{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;margin:10px 0 0;padding:0;font-size:14px}
@media (max-width:760px){main{padding:18px 12px 32px}.two{grid-template-columns:1fr}section{padding:16px 14px}
h1{font-size:22px}.facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:8px}
.bars td.bar{width:22%;min-width:44px}.tiles{grid-template-columns:1fr 1fr}.tile dd{font-size:21px}}
@media (max-width:560px){.places thead{display:none}.places tr{display:grid;grid-template-columns:1fr 1fr;
padding:8px 0;border-bottom:1px solid var(--line)}.places tr:last-child{border-bottom:0}
.places tr>*{border:0;padding:1px 0;width:auto}.places th:first-child,.places td:last-child{grid-column:1/-1;width:auto;padding-left:0}
.places td.num{text-align:left;color:var(--soft);font-size:13px}
.places td.num:nth-child(2)::after{content:" accounts"}.places td.num:nth-child(3)::after{content:" times"}}
@media print{:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#111;--soft:#444;--line:#bbb;--track:#e5e5e5;
--bad:#a5281f;--warn:#8a5a10;--good:#1b6a49;--accent:#111;--badsoft:#fff;--warnsoft:#fff;--goodsoft:#fff}
body{font-size:11pt}main{max-width:none;padding:0}nav{display:none}section,.tile{break-inside:avoid}
section.long{break-inside:auto}details::details-content{display:block;content-visibility:visible}summary::before{display:none}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`

/** The facts of a run besides the totals of its file. */
type ReportContent = Readonly<{
  title: string
  lead: string
  totals: FileTotals
  overview: Html
  /** Where a table of every line was written; else the option that writes it. */
  errors: string | undefined
  /** By what the file was checked. */
  ground: Readonly<{ id: string; title: string; section: Html }>
  /** Which file, and how the run went. */
  closing: Html
}>

/** Nothing may be loaded or run; of styles only the one in this page. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** One piece, so that nothing comes between the element and the style whose hash the policy names. */
const styleElement = new Html(`<style>${styles}</style>`)

const link = (shown: boolean, to: string, words: string): Html =>
  shown ? html`<li><a href="#${to}">${words}</a></li>` : noHtml

const contents = ({ totals, ground }: ReportContent): Html => {
  const { codes, repeats, sharedPoints, warnings, failed } = totals
  const has = (severity: string): boolean => codes.some((code) => code.severity === severity)
  return html`<nav aria-label="Contents">
    <ul>
      ${link(true, 'outcome', 'Outcome')}${link(has('error'), 'errors-by-code', 'Errors by code and field')}${link(has('error'), 'errors', 'What to correct')}${link(failed > 0, 'spread', 'Errors per account')}${link(warnings.length > 0, 'whole-file', 'The file as a whole')}${link(repeats.count > 0, 'repeats', 'Repeated accounts')}${link(sharedPoints.count > 0, 'shared-supply-points', 'Shared supply points')}${link(has('warning'), 'warnings', 'What to look at')}${link(codes.length > 0, 'every-line', 'Every line')}${link(true, ground.id, ground.title)}${link(true, 'file', 'File')}
    </ul>
  </nav>`
}

/** How to get what is only counted here. */
const everyLine = ({ errors, totals: { codes } }: ReportContent): Html =>
  codes.length === 0
    ? noHtml
    : html`<section id="every-line">
        <h2>Every line</h2>
        <p>
          Below each code stand the fields and the first lines that have it. A table of all lines, with account number,
          code and field, ${errors === undefined ? html`is written with the option <code>--errors FILE</code>` : html`was written to <code>${errors}</code>`}.
        </p>
      </section> `

/** One HTML page that needs nothing else. */
export const wholePage = (title: string, header: Html, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main>
          <header>
            <h1>${title}</h1>
            ${header}
          </header>
          ${body}
        </main>
      </body>
    </html> `.text

/** The report of a file; no value of an account is in it. */
export const reportPage = (content: ReportContent): string => {
  const { title, lead, totals, overview, ground, closing } = content
  const { codes } = totals
  return wholePage(
    title,
    html`<p class="soft">${lead}</p>
      ${contents(content)}`,
    html`${overview}${charts(codes, 'error')}${codeDetails(codes, 'error')}${spreadSection(totals)}${wholeFileSections(totals)}${charts(codes, 'warning')}${codeDetails(codes, 'warning')}${everyLine(content)}${ground.section}${closing}`,
  )
}
