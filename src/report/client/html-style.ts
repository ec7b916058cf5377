/** What the page on a client has besides the house's stylesheet. */
export const CLIENT_STYLE = `

table.weathers{width:auto}.weathers td,.weathers th{padding:2px 8px;white-space:nowrap}
.weathers thead th{vertical-align:bottom;height:1px;text-align:center;padding:2px 0;width:1.75em;min-width:1.75em}.weathers thead th a{display:inline-block;writing-mode:vertical-rl;transform:rotate(180deg);text-decoration:none;font-weight:500;padding:2px 0;color:var(--soft)}
.weathers thead th.fail a{color:var(--fail);font-weight:700}.weathers thead th:first-child,.weathers thead th.how{text-align:left;width:auto}
.weathers tbody th{font-weight:400;color:var(--soft);position:sticky;left:0;background:var(--bg);z-index:1}.weathers tbody th a{color:inherit;text-decoration:none}.weathers tbody th a:hover{text-decoration:underline}
.weathers tr.bad th{font-weight:600}.weathers tr.bad th a{color:var(--fail)}
.weathers td.cell{text-align:center;padding:2px 0;color:var(--none)}.weathers td.kept{color:var(--pass);opacity:.75}.weathers td.violated{background:var(--fail-bg)}.weathers td.violated a{display:block;color:var(--fail);font-weight:700;text-decoration:none}.weathers td.wrong{background:var(--advice-bg);color:var(--advice)}
.weathers td.how{color:var(--soft);font-size:.84em;vertical-align:middle}.weathers tbody tr:hover td,.weathers tbody tr:hover th{border-bottom-color:var(--soft)}
.proof li{white-space:pre}.proof .named{color:var(--fail);font-weight:600}
.moments{font-size:.9em;width:auto;min-width:100%}.moments td{padding:2px 10px;white-space:nowrap;vertical-align:baseline}.moments .time{font-variant-numeric:tabular-nums;text-align:right;color:var(--soft)}.moments .what{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.93em}
.moments tr.named td{background:var(--fail-bg)}.moments tr.webhook td{background:var(--open-bg)}.moments tr.end td{color:var(--soft);font-style:italic}.moments tr:target td,.violation:target{outline:2px solid var(--link);outline-offset:-2px}
.weather>summary .badge{margin-left:.4em}.weather.calm>summary{color:var(--soft)}.violation{margin:.5rem 0;padding:2px 12px;border-left:3px solid var(--fail)}.violation p{margin:.2rem 0}
.mark{white-space:nowrap}.output{white-space:pre-wrap;overflow-wrap:anywhere}
@media (max-width:640px){.weathers tbody th{min-width:8.5em;max-width:9.5em;white-space:normal;overflow-wrap:anywhere;padding:2px 4px 2px 0;line-height:1.25}.weathers td{vertical-align:middle}.script{padding:6px 10px}.moments td{padding:2px 5px}}
`;
