import { lookStyles } from '@account-import/core/html'

/** The stylesheet of the console: the look of all pages, and the layout of these. */
export const consoleStyles = `${lookStyles}
header,main,footer{max-width:76rem;margin:0 auto;padding:0 1.25rem}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding-top:.75rem}
.visitor{margin:0;font-size:var(--small);color:var(--soft)}
header nav{flex-basis:100%;border-bottom:1px solid var(--line);overflow-x:auto}
header nav ul{display:flex;gap:0 1.25rem;margin:0;padding:0;list-style:none}header nav a{display:block;padding:.5rem 0;border-bottom:2px solid transparent;color:var(--soft);text-decoration:none;white-space:nowrap}
header nav a:hover{color:var(--ink)}header nav [aria-current]{color:var(--ink);font-weight:600;border-color:var(--accent)}
footer{margin-top:3rem;padding-block:1rem;color:var(--soft);font-size:var(--small)}
button,input,select{font:inherit;color:var(--ink);background:var(--page);border:1px solid color-mix(in srgb,var(--soft) 75%,var(--page));border-radius:var(--round);padding:.3rem .75rem}
button{cursor:pointer}.primary{background:var(--accent);color:var(--on-accent);border-color:var(--accent);font-weight:600}
.primary.danger{background:var(--bad);border-color:var(--bad)}a.danger{color:var(--bad)}
.card{margin:1.25rem 0;padding:.25rem 1.25rem 1.25rem;border:1px solid var(--line);border-radius:var(--round)}.card h2{margin-top:1rem}.card h3{margin-top:1rem}
.card ul{margin:0;padding-left:1.1rem}.card p{margin:.35rem 0}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(16rem,100%),1fr));gap:0 2rem}
.numbers{font-variant-numeric:tabular-nums;font-size:var(--small)}
.tiles{grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.75rem;margin:1rem 0 .5rem}
.tiles dd{font-size:1.5rem;font-variant-numeric:tabular-nums}.tiles dt{font-size:var(--small)}
.tiles dt:not(.soft)::before{content:'';display:inline-block;width:.65em;height:.65em;margin-right:.4em;border-radius:50%;background:currentcolor}
.list{padding:0;list-style:none;border-top:1px solid var(--line)}.list a{font-weight:600}
.list li{display:grid;grid-template-columns:minmax(0,5fr) 7.5rem minmax(0,4fr) minmax(0,3fr);gap:.25rem 1.25rem;padding:.75rem 0;border-bottom:1px solid var(--line)}
.list div{min-width:0;font-size:var(--small);font-variant-numeric:tabular-nums}.list div:first-child a{font-size:1rem}.list div:last-child{text-align:right}
.filter{display:flex;flex-wrap:wrap;align-items:end;gap:.75rem 1rem;margin:1rem 0}.filter label{display:grid;gap:.15rem;font-size:var(--small);color:var(--soft)}
.login{max-width:28rem;margin:2rem auto}.login input{width:100%;margin:.25rem 0 .75rem}
.empty{padding:1.25rem;border:1px dashed var(--line);border-radius:var(--round)}
.table{overflow-x:auto;margin:.75rem 0}.table code{overflow-wrap:normal}tbody th{min-width:9rem}td{min-width:4.5rem}
.onward{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
.many{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.25rem 1rem;padding:0;list-style:none;font-variant-numeric:tabular-nums}
.steps .step:not(:last-child){display:none}.bar .none{fill:none}
progress,.drop input{width:100%}progress{accent-color:var(--accent)}.dropping{outline:2px dashed var(--accent);outline-offset:-.5rem}select{max-width:100%}
td time,.list time{white-space:nowrap}
@media (max-width:34rem){.brand{flex-basis:100%}.visitor{margin-right:auto}}
@media (max-width:34rem){header nav ul{flex-wrap:wrap}.table code{overflow-wrap:anywhere}tbody th,td.num{min-width:0}td{min-width:3.25rem}th,td{padding-right:.5rem}}
@media (max-width:45rem){.list li{grid-template-columns:1fr auto}.list div:first-child,.list div:nth-child(3){grid-column:1/-1}.list div:last-child{text-align:left}}
@media print{header nav,header form,.onward,.drop,.actions{display:none}}
`
