/** The colours of everything drawn, light and dark. */
export const COLOURS = `:root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--ink:#1c1f23;--soft:#5d6670;--line:#e1e4e8;--link:#0b57a4;
--fail:#b3261e;--fail-bg:#fdecea;--advice:#8a5300;--advice-bg:#fff3dc;--pass:#1a6b3c;--pass-bg:#e5f5ea;--open:#5b4a9e;--open-bg:#efebfb;--none:#5d6670;--none-bg:#eef0f2;--wait:#7a869a;--run:#2f6fc4}
@media (prefers-color-scheme:dark){:root{--bg:#14171a;--card:#1c2024;--ink:#e6e8ea;--soft:#9aa4ae;--line:#31373d;--link:#7cb7f5;
--fail:#ff8a80;--fail-bg:#3c1f1d;--advice:#f0b95a;--advice-bg:#3a2d14;--pass:#7fd49b;--pass-bg:#173323;--open:#b9a9f5;--open-bg:#2a2444;--none:#9aa4ae;--none-bg:#272c31;--wait:#8794a8;--run:#5c9df0}}
`;

/** The diagram of the states of a job, in the page and as a file. */
export const STATES = `.states path{fill:none;stroke:var(--soft);stroke-width:1.3}.states .wide{stroke:transparent;stroke-width:14}.states path.head{fill:var(--soft);stroke:none}.states circle{fill:var(--soft)}
.states .state rect{fill:var(--card);stroke:var(--soft);stroke-width:1.3}.states .state text{fill:var(--ink);font-weight:600}.states .unseen rect,.states .unseen path:not(.head,.wide){stroke-dasharray:4 3;stroke:var(--none)}.states .seen text{fill:var(--ink)}
.states .seen path:not(.wide){stroke:var(--pass)}.states .seen .head{fill:var(--pass)}.states .seen rect{stroke:var(--pass);fill:var(--pass-bg)}
.states .fail path:not(.wide){stroke:var(--fail);stroke-width:2}.states .fail .head{fill:var(--fail)}.states .fail text{fill:var(--fail);font-weight:700}.states .fail rect{stroke:var(--fail);fill:var(--fail-bg)}
.states .known path:not(.wide),.states .advice path:not(.wide){stroke:var(--advice)}.states .known .head,.states .advice .head{fill:var(--advice)}.states .known text,.states .advice text{fill:var(--advice)}.states .known rect,.states .advice rect{stroke:var(--advice);fill:var(--advice-bg)}`;

/** The page's stylesheet: light and dark, screen and print, no external font or image. */
export const STYLE = `
${COLOURS}*{box-sizing:border-box}html{scroll-padding-top:4rem}
body{margin:0;overflow-wrap:break-word;background:var(--bg);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.wide{max-width:1080px;margin:0 auto;padding:0 20px}main.wide{padding-bottom:4rem}
h1{font-size:2rem;line-height:1.2;margin:.1em 0}h2{font-size:1.3rem;margin:2.4rem 0 .8rem}h3{font-size:1.05rem;margin:1.6rem 0 .5rem}h4{margin:1.2rem 0 .4rem}
a{color:var(--link)}a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible{outline:3px solid var(--link);outline-offset:2px}
code,.id,.proof,.command{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86em}
.skip{position:absolute;left:-999px}.skip:focus{left:10px;top:10px;background:var(--card);padding:8px}
.verdict{padding:1.6rem 0 1.3rem;border-bottom:1px solid var(--line)}.verdict p{margin:.2rem 0}
.verdict.good{background:var(--pass-bg)}.verdict.good h1{color:var(--pass)}
.verdict.bad{background:var(--fail-bg)}.verdict.bad h1{color:var(--fail)}
.verdict.open{background:var(--open-bg)}.verdict.open h1{color:var(--open)}
.target{font-family:ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}.facts{color:var(--soft)}.facts span:not(:last-child)::after{content:" · "}
nav.contents{position:sticky;top:0;z-index:2;background:var(--bg);border-bottom:1px solid var(--line);margin:0 -20px;padding:0 20px}nav.contents ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;padding:0;margin:0;padding:.5rem 0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;list-style:none;padding:0;margin:1.2rem 0}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 14px;display:flex;flex-direction:column}
.tiles span,.tiles small{color:var(--soft)}.tiles strong{font-size:1.5rem;font-variant-numeric:tabular-nums}
.sections{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(460px,1fr));gap:4px 28px}
.sections li{display:flex;align-items:center;gap:12px}.sections li,.sections a{min-width:0}.sections a{flex:1 1 50%;text-decoration:none;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.bar{flex:1 1 42%;display:flex;height:10px;border-radius:5px;overflow:hidden;background:var(--none-bg);gap:1px}.bar i{display:block}
.bar .fail{background:var(--fail)}.bar .advice,.bar .known{background:var(--advice)}.bar .inconclusive{background:var(--open)}.bar .pass{background:var(--pass)}
.bar .not-exercised,.bar .untestable,.bar .not-applicable{background:var(--line)}
.count,.meta,.reason,figcaption{color:var(--soft);font-size:.88em}.sections .count{width:5em;text-align:right}
.card{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--line);border-radius:8px;padding:4px 18px 14px;margin:0 0 16px}
.card.fail{border-left-color:var(--fail)}.card.advice,.card.known{border-left-color:var(--advice)}
.card h2{margin:.8rem 0 .3rem}.card h3{margin:.8rem 0 0;overflow-wrap:anywhere}.card .meta{margin:.1rem 0 .6rem}.sentence{margin:.4rem 0;font-size:1.05em}
.cause summary h3{display:inline;font-size:1.2rem;line-height:1.35}.cause{margin:0 0 12px}.cause>details>summary .id{display:block}
.failure-list ol{padding-left:1.7em;margin:0}.failure-list .other{list-style:none}.failure-list li{margin:0 0 .5rem;line-height:1.35}.failure-list a{text-decoration:none;overflow-wrap:anywhere}.failure-list [aria-current]{font-weight:700}kbd{border:1px solid var(--line);border-radius:4px;padding:0 5px;background:var(--card)}
.failure-list{max-height:14rem;overflow:auto;margin-bottom:1rem}.causes{min-width:0}
@media (min-width:1250px){.wide{max-width:1300px}.failures:has(.failure-list){display:grid;grid-template-columns:260px minmax(0,1fr);gap:0 28px}.failures>h2{grid-column:1/-1}.failure-list{position:sticky;top:4rem;align-self:start;max-height:calc(100vh - 6rem);font-size:.92rem}}
blockquote{margin:.3rem 0 .8rem;padding-left:12px;border-left:3px solid var(--line)}blockquote a{color:var(--soft);text-decoration:none}
.badge{display:inline-block;white-space:nowrap;border-radius:4px;padding:0 7px;font-size:.82rem;font-weight:600;background:var(--none-bg);color:var(--none)}
.badge.fail{background:var(--fail-bg);color:var(--fail)}.badge.advice,.badge.known{background:var(--advice-bg);color:var(--advice)}
.badge.pass{background:var(--pass-bg);color:var(--pass)}.badge.inconclusive{background:var(--open-bg);color:var(--open)}
.failure{border-top:1px solid var(--line);padding-top:10px;margin-top:10px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:0 0 8px}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}.short{list-style:none;margin:0;padding:0;font-weight:600}
.proof{list-style:none;margin:8px 0;padding:8px 12px;background:var(--bg);border-radius:6px;overflow-x:auto}.proof li{white-space:pre-wrap;overflow-wrap:anywhere}
.command{display:flex;gap:10px;align-items:baseline;margin:6px 0}.command span{flex:none;width:7.5em;color:var(--soft);font-family:system-ui,sans-serif;font-size:.95rem}
.command code{flex:1;overflow-wrap:anywhere;font-size:1em;background:var(--bg);border-radius:6px;padding:4px 8px}
button{font:inherit;font-size:.85rem;border:1px solid var(--line);background:var(--card);color:var(--ink);border-radius:6px;padding:2px 10px;cursor:pointer}
.axis{margin:12px 0}.axis svg{display:block;width:100%;min-width:760px;height:auto;font:11px ui-monospace,Menlo,Consolas,monospace}.axis text{fill:var(--soft)}
.axis .tick{stroke:var(--line);stroke-dasharray:2 3}.axis .call rect{opacity:.45}.axis .involved rect{opacity:1}.axis .involved text{fill:var(--ink);font-weight:700}
.axis .good{fill:var(--pass)}.axis .bad{fill:var(--advice)}.axis .lost{fill:var(--fail)}
.proofs .ground{fill:var(--none-bg);opacity:.55}.proofs .name{font-family:system-ui,sans-serif}.proofs .lane .name{fill:var(--ink);font-weight:600}.proofs .call text{fill:var(--ink)}.proofs .call rect{opacity:1}.proofs .involved text{fill:var(--fail)}.proofs .webhook{fill:var(--open)}
.proofs .state{opacity:.8}.proofs .in_queue{fill:var(--wait)}.proofs .in_progress{fill:var(--run)}.proofs .completed{fill:var(--pass)}.proofs .failed,.proofs .timed_out{fill:var(--advice)}.proofs .cancelled,.proofs .gone{fill:var(--none)}.proofs .unknown{fill:none;stroke:var(--soft);stroke-dasharray:3 2}
.proofs .in{font-size:8.5px;fill:var(--card);font-weight:700}.proofs .unknown + .in,.proofs .unknown ~ .in{fill:var(--ink)}
.proofs .behind{fill:var(--card)}.proofs .bound path{stroke:var(--soft);stroke-width:1.5;fill:none}.proofs .rule path{stroke:var(--open);stroke-width:2}.proofs .rule text{fill:var(--open)}.proofs .observed path{stroke:var(--run)}.proofs .gap{fill:var(--fail);opacity:.16}.proofs .over{fill:var(--fail);font-weight:700;font-size:12px}
.script{background:var(--card);border:1px solid var(--line);border-radius:8px;margin:0 0 10px;padding:6px 14px}.script>summary{cursor:pointer;overflow-wrap:anywhere}
.jobs-list{list-style:none;padding:0}.jobs-list>li{border-bottom:1px solid var(--line);padding:3px 0}.jobs-list summary{cursor:pointer;overflow-wrap:anywhere}
.scroll[tabindex]{box-shadow:inset -14px 0 12px -12px var(--soft)}
.steps{list-style:none;padding:0;margin:8px 0}.steps li{padding:2px 0 2px 10px;border-left:3px solid transparent;overflow-wrap:anywhere}.steps .evidence{border-left-color:var(--fail);background:var(--fail-bg)}
.steps time{display:inline-block;min-width:7em;color:var(--soft);font-variant-numeric:tabular-nums}.steps summary{cursor:pointer}.steps details:target{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
.message-title{margin:.5rem 0 .1rem;color:var(--soft);font-size:.88em}.message{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86em;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--bg);border-radius:6px;padding:6px 10px}
.cause>details>summary{cursor:pointer;padding:4px 0}.cause>details>summary h3{display:inline;margin:0;overflow-wrap:anywhere}.fold{margin:6px 0 6px 6px}.fold>summary{cursor:pointer;color:var(--soft);overflow-wrap:anywhere}.fold[open]>summary{color:var(--ink)}
.sort{border:0;background:none;color:inherit;font:inherit;font-weight:600;padding:0}th[aria-sort=ascending] .sort::after{content:" ▲"}th[aria-sort=descending] .sort::after{content:" ▼"}
.states{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px 10px}.states svg{font-size:10.5px}.states a:hover text,.states a:focus text{text-decoration:underline}
${STATES}
.rates .accepted{fill:var(--run);fill-opacity:.3;stroke:var(--run)}.rates .over{fill:var(--fail);fill-opacity:.45}.rates .refused{fill:var(--fail)}.rates path.named{stroke:var(--ink);stroke-dasharray:3 2}.rates text.named{fill:var(--ink);font-weight:700}
.jobs .run{stroke:var(--ink);stroke-width:2.5}.jobs .change{stroke:var(--open);stroke-dasharray:4 3}
.strips .row{stroke:var(--line);fill:none}.strips circle{fill:var(--run);fill-opacity:.5}.strips .least{fill:var(--advice)}.limit{fill:none;stroke:var(--fail);stroke-width:1.5}.axis text.limit{fill:var(--fail);stroke:none}.strips .name{fill:var(--ink)}
.waterfall text{fill:var(--soft)}.waterfall rect{fill:var(--run)}.waterfall .fail{fill:var(--fail)}
.matrix td,.matrix th{white-space:nowrap}
.heat td{text-align:center;font-variant-numeric:tabular-nums;border:1px solid var(--bg)}.heat .pass{background:color-mix(in srgb,var(--pass) 45%,var(--card))}.heat .fail{background:color-mix(in srgb,var(--fail) calc(25% + var(--share)*.2),var(--card))}.heat .none{background:var(--none-bg);color:var(--none)}
.heat .partial{outline:2px dashed var(--none);outline-offset:-4px}.heat .pass.partial{background:var(--pass-bg);outline-color:var(--pass)}.heat .fail.partial{outline-color:var(--fail)}
table.sum{width:auto}.sum .hit{background:var(--fail-bg)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:.4rem 0}
th,td{text-align:left;vertical-align:top;padding:7px 10px;border-bottom:1px solid var(--line)}th{color:var(--soft);font-weight:600;font-size:.88em}
code{background:var(--none-bg);border-radius:3px;padding:0 3px}.requirements td:first-child{width:1%}.requirements td:nth-child(n+3){width:4.5em}.number{text-align:right;font-variant-numeric:tabular-nums}.requirements tr:target,.requirements tr.hit{background:var(--open-bg)}
.filters{display:flex;flex-wrap:wrap;gap:10px 18px;align-items:center;margin:.5rem 0}.filters fieldset{display:flex;flex-wrap:wrap;gap:6px;border:0;padding:0;margin:0;flex-basis:100%}
.filters legend{position:absolute;left:-999px}.chip{border:1px solid var(--line);border-radius:14px;padding:1px 11px 1px 7px;background:var(--card);cursor:pointer}
.filters select,.filters input[type=search]{font:inherit;padding:3px 8px;border:1px solid var(--line);border-radius:6px;background:var(--card);color:var(--ink);max-width:16em}
output{color:var(--soft)}
.document{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:6px 26px 20px}.doc-title{font-size:1.4rem;font-weight:700}

.note{color:inherit;text-decoration:underline 2px;text-underline-offset:3px;border-radius:3px;cursor:pointer}
.note.fail{background:var(--fail-bg);text-decoration-color:var(--fail)}.note.advice,.note.known{background:var(--advice-bg);text-decoration-color:var(--advice)}
.note.pass{background:var(--pass-bg);text-decoration-color:var(--pass)}.note.inconclusive{background:var(--open-bg);text-decoration-color:var(--open)}
.note.not-exercised,.note.untestable,.note.not-applicable{text-decoration:underline dotted 2px var(--soft)}.note code{background:none}
.legend{display:flex;flex-wrap:wrap;gap:8px}
footer{color:var(--soft);border-top:1px solid var(--line);padding-top:1rem;margin-top:3rem}
@media (max-width:640px){.matrix tbody th{white-space:normal;min-width:8em}.sections{grid-template-columns:1fr}dl{grid-template-columns:1fr}.command{flex-wrap:wrap}.card{padding:4px 10px 12px}
.requirements thead{display:none}.requirements,.requirements tbody,.requirements tr,.requirements td{display:block;width:auto!important}.requirements tr{border-bottom:1px solid var(--line);padding:8px 0}.requirements td{border:0;padding:1px 4px}.requirements td[data-label]{display:inline-block;text-align:left}.requirements td[data-label]::before{content:attr(data-label) " ";color:var(--soft)}.requirements tr[hidden]{display:none}.steps time{min-width:0;margin-right:.5em}}
@media print{:root{color-scheme:light}body{background:#fff;font-size:11px}.filters,nav,button,.skip{display:none!important}.card,tr,li{break-inside:avoid}a{color:inherit;text-decoration:none}.badge,.note,.bar i,.verdict{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;
