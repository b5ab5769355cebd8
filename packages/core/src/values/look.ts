/** Colours, sizes and fonts of all pages. Each colour of text has a contrast of 4.5 or more to its ground, in light and dark. */
const tokens = `
:root{color-scheme:light dark;--page:light-dark(#fff,#11151c);--box:light-dark(#f5f7fa,#1a202a);--line:light-dark(#dde2ea,#343d4b);--ink:light-dark(#1a2233,#e6eaf4);--soft:light-dark(#566072,#a5aec4);
--accent:light-dark(#2f5fd0,#8fadf7);--on-accent:light-dark(#fff,#11151c);--good:light-dark(#17694a,#6fcfa3);--warn:light-dark(#7d5009,#e3b04f);--bad:light-dark(#b3261e,#f4958c);
--small:.875rem;--mono:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;--round:.5rem}
`

/**
 * The one look of documentation, runs, login and reports. It loads no external file, so that a page can contain it and allow it
 * by one hash.
 */
export const lookStyles = `${tokens}*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
h1,h2,h3,h4{line-height:1.25;letter-spacing:-.01em;margin:1.5rem 0 .5rem}h1{font-size:1.75rem;margin-top:1rem}h2{font-size:1.25rem;margin-top:2.25rem}h3{font-size:1.05rem}
a,summary{color:var(--accent);text-underline-offset:.15em}summary{cursor:pointer}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
code,pre{font-family:var(--mono);font-size:.875em}code{background:var(--box);padding:.1em .3em;border-radius:.25em}h1 code,a code{background:none;padding:0}a:has(>code){text-underline-offset:.35em}
.brand{display:flex;align-items:center;gap:.6rem;flex:1 1 0;min-width:0;line-height:1.2;color:var(--ink);font-weight:650;letter-spacing:-.01em;text-decoration:none}
.brand::before{content:'\\2192' / '';flex:0 0 1.6rem;border-radius:.4rem;font-size:1rem;background:var(--accent);color:var(--on-accent);line-height:1.6rem;text-align:center}
.soft,caption,thead th,dt{color:var(--soft)}.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}.info{color:var(--accent)}
.chip,.chips li{display:inline-block;padding:0 .65em;border-radius:1em;font-size:var(--small);background:var(--box);box-shadow:inset 0 0 0 1px var(--line)}
.chip{font-weight:600;white-space:nowrap}.chip:is(.good,.warn,.bad,.info){background:color-mix(in srgb,currentcolor 9%,var(--page));box-shadow:none}
.chips{display:flex;flex-wrap:wrap;gap:.5rem;padding:0;list-style:none}.chips li{margin:0}.chips strong{font-weight:400;color:var(--soft)}
.callout{margin:1rem 0;padding:.75rem 1rem;border-left:4px solid currentcolor;border-radius:0 var(--round) var(--round) 0;background:var(--box)}
table{border-collapse:collapse;width:100%;margin:0 0 .75rem;font-size:var(--small);font-variant-numeric:tabular-nums}caption{padding-bottom:.4rem;text-align:left}
th,td{padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}thead th{font-weight:500;overflow-wrap:normal}tbody th{font-weight:400}.num{text-align:right}.num+:not(.num){padding-left:1rem}:is(th,td):last-child{padding-right:0}
dl{display:grid;grid-template-columns:minmax(7rem,max-content) minmax(0,1fr);gap:.25rem 1.25rem;margin:0}dd{margin:0}
meter{width:100%}meter::-webkit-meter-bar{background:var(--line);border:0}meter::-webkit-meter-optimum-value{background:var(--accent)}meter::-moz-meter-bar{background:var(--accent)}
.bar{display:block;margin:.35rem 0;width:100%;height:.5rem;border-radius:1rem;background:var(--line)}.bar rect{fill:currentcolor}
@media (max-width:34rem){h1{font-size:1.4rem}}
@media print{:root{color-scheme:light}nav{display:none}tr{break-inside:avoid}}
`
