/** The page's stylesheet: light and dark, no font and no image from anywhere. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#f7f8f9;--card:#fff;--ink:#16191d;--soft:#59636e;--line:#dfe3e8;--faint:#eef1f4;--link:#0b57a4;
--run:#0b57a4;--run-bg:#e3effc;--wait:#7a4d00;--wait-bg:#fdf0d8;--good:#14633a;--good-bg:#e2f4e9;--bad:#a8201a;--bad-bg:#fce8e6;--over:#55506b;--over-bg:#edebf5}
@media (prefers-color-scheme:dark){:root{--bg:#111417;--card:#191d21;--ink:#e8eaed;--soft:#9ba6b1;--line:#2d343b;--faint:#22282e;--link:#82b9f7;
--run:#8cc2ff;--run-bg:#15304d;--wait:#f3c26b;--wait-bg:#3a2c10;--good:#7ed6a0;--good-bg:#153423;--bad:#ff9a91;--bad-bg:#421f1c;--over:#bdb4e6;--over-bg:#2a263c}}
*{box-sizing:border-box}[hidden]{display:none!important}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;font-variant-numeric:tabular-nums;scrollbar-gutter:stable}
.wide{max-width:1180px;margin:0 auto;padding-left:24px;padding-right:24px}
header{background:var(--card);border-bottom:1px solid var(--line)}header .wide{display:flex;align-items:baseline;gap:6px 20px;min-height:56px;padding-top:14px;padding-bottom:12px;flex-wrap:wrap}
h1{font-size:1.15rem;margin:0;letter-spacing:-.01em}h1 span{font-weight:400;color:var(--soft)}
h2{font-size:1rem;margin:0}.soft,.facts{color:var(--soft)}p{margin:0}
.facts{flex:1}.link{white-space:nowrap;font-weight:600;color:var(--soft)}.link.live{color:var(--good)}.link.lost{color:var(--bad)}
main{padding-top:20px;padding-bottom:48px;display:grid;grid-template-columns:minmax(0,1fr);gap:20px}main>section>h2,.head{margin:8px 0 10px}.head{display:flex;gap:8px 14px;align-items:center;justify-content:space-between;flex-wrap:wrap}
main.stale{opacity:.55}
#endpoints{display:grid;grid-template-columns:minmax(0,1fr);gap:20px}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:16px 20px}
.clock{display:flex;justify-content:space-between;align-items:center;gap:16px 32px;flex-wrap:wrap}.clock h2{color:var(--soft);font-weight:600;font-size:.85rem}
.time{font-size:1.7rem;line-height:1.25;font-weight:600;letter-spacing:-.02em;min-width:14em}.buttons{display:flex;gap:8px;flex-wrap:wrap}
button{font:inherit;font-weight:600;border:1px solid var(--line);background:var(--card);color:var(--ink);border-radius:8px;padding:7px 14px;cursor:pointer}
button:hover:not(:disabled){border-color:var(--link);color:var(--link)}button.first{background:var(--link);border-color:var(--link);color:var(--card)}button.first:hover:not(:disabled){color:var(--card);filter:brightness(1.1)}
button:disabled{opacity:.5;cursor:default}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.endpoint{padding:0;overflow:hidden}.endpoint>.head{display:flex;flex-wrap:wrap;gap:10px 28px;align-items:center;padding:16px 20px 14px}
.endpoint h2{font:600 1.05rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere;flex:1 1 12em;min-width:0}
.depth{margin:0;padding:0 20px 12px}.depth svg{display:block;width:100%;height:64px;border-bottom:1px solid var(--line)}.depth path{vector-effect:non-scaling-stroke;stroke-width:1.5;fill-opacity:.18;stroke:var(--run);fill:var(--run)}.depth .waiting{stroke:var(--wait);fill:var(--wait)}.depth .key{color:var(--run)}.depth .key.waiting{color:var(--wait)}.depth figcaption{font-size:.86rem;margin-top:4px}
.chips{display:flex;flex-wrap:wrap;gap:6px;list-style:none;margin:0;padding:0;align-items:center}.chips .label{color:var(--soft);margin-right:2px}
.chip{white-space:nowrap;border-radius:6px;padding:1px 9px;font-size:.86rem;background:var(--faint);color:var(--soft)}.chip b{font-weight:650;color:inherit}
.workers{padding:0 20px 12px}.chip .open{color:inherit;font-size:inherit}
.chip.none{background:none;box-shadow:inset 0 0 0 1px var(--line)}
.run{background:var(--run-bg);color:var(--run)}.wait{background:var(--wait-bg);color:var(--wait)}.good{background:var(--good-bg);color:var(--good)}.bad{background:var(--bad-bg);color:var(--bad)}.over{background:var(--over-bg);color:var(--over)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;table-layout:fixed;min-width:960px}
th,td{text-align:left;padding:7px 10px;border-top:1px solid var(--line);white-space:nowrap;overflow:hidden;text-overflow:ellipsis;vertical-align:middle}
th{color:var(--soft);font-weight:600;font-size:.82rem}th:first-child,td:first-child{padding-left:20px}th:last-child,td:last-child{padding-right:20px}
.number{text-align:right}td.number{font-size:.92rem}.id,.path{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.8rem}
.jobs th:nth-child(2){width:162px}.jobs th:nth-child(3){width:82px}.jobs th:nth-child(n+4){width:112px}.jobs th:nth-child(8){width:124px}.jobs{min-width:1040px}
.pill{display:inline-block;border-radius:6px;padding:1px 9px;font-size:.82rem;font-weight:600}
.bar{display:block;height:3px;border-radius:2px;background:var(--faint);margin-top:3px;border:0;width:100%;appearance:none;-webkit-appearance:none}
.bar::-webkit-progress-bar{background:var(--faint);border-radius:2px}.bar::-webkit-progress-value{background:var(--soft);border-radius:2px}.bar::-moz-progress-bar{background:var(--soft);border-radius:2px}
.calls{background:var(--card);border:1px solid var(--line);border-radius:10px;border-collapse:separate;border-spacing:0}.calls thead th{border-top:0}
.calls th:nth-child(1){width:15%}.calls th:nth-child(2){width:9%}.calls th:nth-child(4){width:15%}.calls th:nth-child(5){width:12%}
.empty{padding:18px 20px 20px;border-top:1px solid var(--line)}.empty code{display:block;margin-top:8px;padding:10px 14px;background:var(--faint);border-radius:8px;color:var(--ink);white-space:pre-wrap;overflow-wrap:anywhere;font:.84rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
.calls{min-width:760px}
.more{padding:8px 20px 12px;border-top:1px solid var(--line)}
#key-form{margin-top:24px;display:flex;gap:10px 12px;flex-wrap:wrap;align-items:center}#key-form p{flex-basis:100%}
input,select,textarea{font:inherit;padding:6px 10px;border:1px solid var(--line);border-radius:8px;background:var(--bg);color:var(--ink);max-width:100%}
#key,#fault{min-width:min(20em,100%)}input[type=checkbox]{width:1.1em;height:1.1em;margin:0;flex:none}
textarea,pre,.rules code,.chunks{font:.84rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
textarea{display:block;width:100%;resize:vertical;margin-top:4px}
h3{font-size:.88rem;margin:0;color:var(--soft);font-weight:600}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:20px;align-items:start}
.only-shows .acts{display:none!important}
.small{padding:2px 10px;font-size:.84rem;font-weight:600}
.events,.plain,.rules{list-style:none;margin:8px 0 0;padding:0}.events li{display:flex;gap:4px 12px;align-items:baseline;padding:5px 0;border-top:1px solid var(--line)}.events li:first-child{border-top:0}
.when{flex:0 0 7em;font-weight:600;white-space:nowrap}.what{flex:1 1 auto;min-width:0;overflow-wrap:anywhere}.why{color:var(--soft)}
.open{border:0;padding:0;background:none;color:var(--link);font:inherit;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.92em;font-weight:400;text-decoration:underline;text-underline-offset:2px;border-radius:3px;max-width:100%;overflow:hidden;text-overflow:ellipsis;vertical-align:bottom;text-align:left}.id .open{font-size:inherit}
.fields{display:flex;flex-wrap:wrap;gap:10px 16px;margin:10px 0}.fields label,#submit-form>label{color:var(--soft);font-size:.85rem}.fields select{display:block;margin-top:2px}#recent{width:17em}
#submit-form .buttons{margin-top:10px}.bad-text{color:var(--bad)}.bad-text:empty{display:none}
#filter-form{display:flex;flex-wrap:wrap;gap:6px 12px;align-items:center}#filter{flex:1 1 14em;min-width:0;background:var(--card)}
#jump-form{display:flex;gap:8px}#jump{width:6.5em}
#faults summary{cursor:pointer}#faults summary h2{display:inline}.rules li{display:flex;gap:6px 14px;align-items:center;padding:6px 0;border-top:1px solid var(--line);flex-wrap:wrap}
.rules label{display:flex;gap:10px;align-items:center;flex:1 1 9em;min-width:0;overflow-wrap:anywhere}#fault-form{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin:12px 0}
.plain li{padding:2px 0;overflow-wrap:anywhere}.plain+button{margin-top:8px}.fault{color:var(--bad);font-size:.8rem;margin-left:8px}
dialog{border:1px solid var(--line);border-radius:12px;background:var(--card);color:var(--ink);padding:18px 22px 22px;width:min(820px,calc(100vw - 32px));max-height:calc(100dvh - 48px);overflow-y:auto}
dialog::backdrop{background:rgb(0 0 0/.45)}
.job-head{display:flex;gap:8px 14px;align-items:center;margin-bottom:12px}.job-head h2{flex:1;min-width:0;overflow-wrap:anywhere;font:600 1rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
dialog section{margin-top:16px}dialog pre{margin:6px 0 0;padding:10px 14px;background:var(--faint);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;max-height:18em;overflow-y:auto}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:10px 20px;margin:16px 0 0}dt{color:var(--soft);font-size:.82rem}dd{margin:0;overflow-wrap:anywhere}
.chunks{margin:6px 0 0;padding-left:3em;max-height:18em;overflow-y:auto}.chunks li{overflow-wrap:anywhere}
.gone{margin-top:12px;font-weight:600}
#said{position:fixed;left:50%;bottom:20px;transform:translateX(-50%);max-width:calc(100vw - 32px);padding:9px 18px;border-radius:10px;border:1px solid var(--line);box-shadow:0 4px 18px rgb(0 0 0/.18);overflow-wrap:anywhere;font-weight:600;z-index:1}
@media (max-width:640px){main .events li:nth-child(n+7){display:none}.small{padding:6px 12px}.jobs .open{padding:7px 0}table,.jobs,.calls{min-width:0}.jobs th:nth-child(n+3),.jobs td:nth-child(n+3){display:none}.jobs th,.jobs td{padding-left:6px;padding-right:6px}.jobs th:nth-child(2){width:158px}
.jobs th:nth-child(7),.jobs td:nth-child(7){display:table-cell;width:98px;font-size:.84rem}.calls th:nth-child(1),.calls td:nth-child(1),.calls th:nth-child(5),.calls td:nth-child(5){display:none}
.calls th:nth-child(2){width:6em}.calls th:nth-child(4){width:8em}.calls td:nth-child(4){white-space:normal}.fault{margin-left:0;display:block}th:first-child,td:first-child{padding-left:14px}th:last-child,td:last-child{padding-right:14px}
.card{padding:14px}.endpoint{padding:0}.when{flex-basis:5em}.job-head{flex-wrap:wrap}.job-head h2{flex-basis:100%;order:3;font-size:.86rem}.job-head button{margin-left:auto}#recent{width:100%}.fields label:first-child{flex-basis:100%}dialog{padding:14px 14px 18px;width:calc(100vw - 16px);max-height:calc(100dvh - 16px)}
.wide{padding-left:14px;padding-right:14px}.facts{flex-basis:100%;order:3}.link{margin-left:auto}.time{min-width:0;font-size:1.35rem}}
@media (prefers-reduced-motion:no-preference){main{transition:opacity .2s}}
`;
