/** The stylesheet of the page, besides that of every report. */
export const OWN_STYLE = `.trouble{color:var(--fail);font-weight:600}.unseen{position:absolute;left:-999px}.wide{max-width:1500px}.verdict{padding:1rem 0}.verdict h1{font-size:1.5rem}
.two{display:grid;grid-template-columns:minmax(0,1fr);gap:0 36px}.two h2{margin:1.2rem 0 .6rem}
.buttons{display:flex;flex-wrap:wrap;gap:8px;flex-basis:100%}.buttons button{padding:5px 14px;font-size:.95rem}button:disabled{color:var(--soft);border-style:dashed;cursor:default}
button.first:not(:disabled){background:var(--link);border-color:var(--link);color:var(--bg);font-weight:600}
.rows{border:1px solid var(--line);border-radius:8px;background:var(--card);margin-top:.8rem}.section{border-bottom:1px solid var(--line)}.section:last-child{border-bottom:0}
.section>summary{cursor:pointer;padding:7px 12px;font-weight:600}.section>summary>.name{display:inline-block;max-width:calc(100% - 11em);vertical-align:top}.section>summary>.status{float:right}
.section .meta{font-weight:400}.section ul{list-style:none;margin:0;padding:0 12px 8px}.section li,.all{display:flex;gap:12px;align-items:baseline;justify-content:space-between;padding:4px 0}.section li[hidden],.section[hidden]{display:none}
.all{justify-content:flex-start;padding:4px 12px;color:var(--soft);gap:9px}.section li label{display:flex;gap:9px;align-items:baseline;min-width:0;cursor:pointer}.section .id,.section .text{display:block;overflow-wrap:anywhere}.section .text{color:var(--soft);font-size:.9em}
.status{flex:none;text-align:right;max-width:13em}.section li:has(.why){flex-wrap:wrap}.status:has(.why){max-width:none;flex-basis:100%;text-align:left;padding-left:29px}.status a{text-underline-offset:3px}.badge.running{background:var(--open-bg);color:var(--open)}
progress{width:100%;height:12px;accent-color:var(--run)}.now p{margin:.3rem 0;overflow-wrap:anywhere}.failed,.failed ul{list-style:none;padding:0}.failed .card{padding:10px 14px;margin:0 0 8px}.failed .card>a{font-weight:600}.failed .more{margin:0 0 12px 14px}.now summary{cursor:pointer;color:var(--soft)}
@media (min-width:900px){.two{grid-template-columns:minmax(0,1.1fr) minmax(0,1fr)}.now{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto}}
@media (max-width:640px){.section li{flex-wrap:wrap;justify-content:flex-end;gap:2px 12px}.section li label{flex-basis:100%}.section>summary>.name{max-width:calc(100% - 1.5em)}.section>summary>.status{float:none;padding-left:1.2em;text-align:left}.section>summary>.status:not(:empty){display:block}.rows{max-height:60vh;overflow-y:auto}}
`;
