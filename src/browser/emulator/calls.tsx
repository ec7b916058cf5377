/** The last calls; each opens in a dialog: what was sent, what was answered, and how to send it again. */
import type { LoggedCall } from '../../server/logged-call.js';
import type { CallState, PageState } from '../../server/page/page-state.js';
import { change, page } from './page.js';
import { Button, Dialog, Part, Pill, Table, Value } from './parts.js';
import { openCall, saveCalls } from './server.js';
import { span } from './times.js';
import { jsonIn } from '../../util/json.js';

const COLUMNS = ['When', 'Method', 'Path', 'Answer', 'Took'];

function Answer({ status }: { readonly status: number | null }) {
  if (status === null) return <Pill look={['wait', '○']} words="pending" />;
  if (status === 0) return <Pill look={['bad', '✕']} words="closed" />;
  if (status < 400) return <Pill look={['good', '✓']} words={status} />;
  return <Pill look={[status < 500 ? 'over' : 'bad', '✕']} words={status} />;
}

const Call = ({
  call: { number, atMs, method, path, status, fault, tookMs },
}: {
  readonly call: LoggedCall;
}) => (
  <tr>
    <td>{span(page.state!.nowMs - atMs)} ago</td>
    <td>{method}</td>
    <td class="path" title={path}>
      {page.state!.acts ? (
        <Button class="open" press={() => openCall(number)}>
          {path}
        </Button>
      ) : (
        path
      )}
    </td>
    <td>
      <Answer status={status} />
      {fault !== null && <span class="fault">{`fault ${fault}`}</span>}
    </td>
    <td class="number">{tookMs !== null && `${tookMs} ms`}</td>
  </tr>
);

export const Calls = ({ state: { calls, records, acts } }: { readonly state: PageState }) => (
  <section aria-label="Last calls">
    <div class="head">
      <h2>Last calls</h2>
      {records && acts && (calls.length > 0 || page.filter !== '') && (
        <Button class="small" press={saveCalls}>
          Save calls as a script
        </Button>
      )}
    </div>
    {calls.length === 0 ? (
      <p class="soft card">{page.filter === '' ? 'No calls yet.' : 'No calls match the filter.'}</p>
    ) : (
      <Table class="calls" columns={COLUMNS} numbersFrom={4}>
        {calls.map((call) => (
          <Call key={call.number} call={call} />
        ))}
      </Table>
    )}
  </section>
);

/** As a value where it is JSON. */
function shown(text: string): unknown {
  const value = jsonIn(text);
  return value === undefined ? text : value;
}

export function CallDialog({
  call: { method, path, status, request, reply, curl },
}: {
  readonly call: CallState;
}) {
  const url = `${location.origin}${path.replaceAll("'", '%27')}`;
  const parts = [
    { title: 'Sent', id: 'call-request', value: request && shown(request) },
    { title: 'Answered', id: 'call-reply', value: reply && shown(reply) },
    { title: 'Send it again', id: 'call-curl', value: curl && `${curl} '${url}'` },
  ];
  return (
    <Dialog
      title={`${method} ${path}`}
      pill={<Answer status={status} />}
      close={() => change({ call: null })}
    >
      {parts.map(
        ({ title, id, value }) =>
          value !== null && (
            <Part title={title}>
              <Value id={id} value={value} />
            </Part>
          ),
      )}
    </Dialog>
  );
}
