"""Checks the proofs of a Runproof report: python3 verify.py REPORT_DIR|report.json.

A port of a part of runproof-verify.mjs, by docs/verify.md: the arithmetic, the search for a story, and answers that
leave their job none. What the page decides otherwise is not checkable here.
"""
import json, math, re, sys, unicodedata
from pathlib import Path
from urllib.parse import unquote

MINUTE, DAY, KEPT, INF = 60_000, 86_400_000, 5_000, math.inf
TTL, EXECUTION, WAIT = [10_000, 7 * DAY], [5_000, 7 * DAY], [1_000, 5 * MINUTE]
ENDED = ('COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED')
STATUS = ('IN_QUEUE', 'IN_PROGRESS') + ENDED
SHOWN = {'TIMED_OUT': ['TIMED_OUT', 'FAILED'], 'PURGED': ['CANCELLED'], 'GONE': []}
VERIFIED, REFUSED, OPEN = 'verified', 'REFUSED', 'not checkable'
sys.setrecursionlimit(20_000)

class Bag(dict):
    """An object whose missing fields are None, and which equals only itself."""
    __getattr__, __hash__, __eq__ = dict.get, object.__hash__, object.__eq__

def get(value, *path):
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value

def span(value, limits, usual):
    is_own = type(value) is int and limits[0] <= value <= limits[1]
    return usual if value is None else [value, value] if is_own else limits

def queried(call, name):
    value = call.query.get(name)
    return None if value is None else int(value) if re.fullmatch(r'\d+', value) else math.nan

def shows(state, status):
    return status not in STATUS or status in SHOWN.get(state, [state])

def history_of(events):
    h = Bag(calls=[], call={}, run=next(Bag(e) for e in events if e['kind'] == 'run'))
    h.update({kind: {e['script']: Bag(e) for e in events if e['kind'] == kind} for kind in ('script', 'workers')})
    for c in (Bag(e) for e in events if e['kind'] == 'call'):
        path = re.match(r'/v2/([^/]+)/[^/]+/?(.*)$', c.request['path'])
        at, job = path.groups() if path else (None, '')
        status, said, submits = get(c.reply, 'status'), get(c.reply, 'body', 'value'), c.op in ('run', 'runsync')
        c.update(at=at, submits=submits, job=get(said, 'id') if submits else unquote(job), said=said, status=status,
                 shown=get(said, 'status'), sent=get(c.request, 'body', 'value'), query=c.request['query'],
                 good=status is not None and 200 <= status < 300, lost=status is None or status >= 500,
                 end_tick=c.get('endedTick') or INF, end_ms=INF if c.receivedMs is None else c.receivedMs)
        h.calls.append(c)
        h.call[c.call] = c
    return h

def run_of(plan, scripted):
    """How long a run takes, at least and at most, and the states in which it may end."""
    ms, ends = 0, ('COMPLETED',)
    if not scripted:
        return Bag(least=0, most=INF, ends=('COMPLETED', 'FAILED', 'IN_QUEUE'))
    for step in [] if plan is None else plan if isinstance(plan, list) else [{}]:
        name = next(iter(step), '')
        if name == 'hang':
            return Bag(least=0, most=INF, ends=())
        if name == 'sleepMs':
            ms += step[name]
        elif not name.startswith('stream'):
            is_good = name in ('return', 'returnBytes', 'echo', 's3Config')
            ends = ends if is_good else ('FAILED', 'IN_QUEUE') if name == 'crash' else ('FAILED',)
            break
    return Bag(least=ms, most=ms, ends=ends)

def job_of(h, job, first):
    """A job, what the document and its submission grant it, and the calls about it."""
    own = [c for c in h.calls if c.script == first.script]
    submit = first if job is None else next((c for c in own if c.submits and c.job == job), None)
    if not submit or not submit.submits:
        return None
    script, policy = h.script.get(submit.script, Bag()), get(submit.sent, 'policy')
    here = [c for c in own if c.at == submit.at and c is not submit]
    stated = h.run.executionTimeoutDefaultMs
    usual = [stated] * 2 if stated is not None else [10 * MINUTE] * 2 if script.fresh else EXECUTION
    workers = script.workers if script.fresh and submit.script not in h.workers else None
    rivals = sum(c.submits and not (c.status or 0) >= 400 for c in here)
    plan, again = get(submit.sent, 'input', 'plan'), get(submit.sent, 'input', 'planOnRetry')
    plans = [plan, plan if again is None else again]
    calls = [c for c in here if c.op == 'purge-queue' or c.op and job is not None and c.job == job]
    brief = [MINUTE, 5 * MINUTE if submit.query.get('wait') else 90_000]
    return Bag(submit=submit, usual=usual, plans=plans, workers=workers, calls=calls,
               runs=[run_of(each, 'scripted-worker' in h.run.capabilities) for each in plans],
               retried=any(c.op == 'retry' and (c.good or c.lost) for c in calls),
               keep=[30 * MINUTE] * 2 if submit.op == 'run' else brief,
               ttl=span(get(policy, 'ttl'), TTL, [DAY, DAY]), wait=span(queried(submit, 'wait'), WAIT, [90_000] * 2),
               execution=span(get(policy, 'executionTimeout'), EXECUTION, usual),
               at_once=workers is not None and rivals < workers and get(policy, 'lowPriority') is not True)

def outcomes(state, strict, c):
    """The states into which a call with this answer may bring a job; none where the document does not allow it."""
    gone, malformed = state == 'GONE', c.status == 400 and 'ttl' in c.query
    if c.status in (401, 429) or c.lost and gone:
        return [state]
    if c.op == 'purge-queue':
        return [state] if state != 'IN_QUEUE' else [state, 'PURGED'] if c.lost else ['PURGED' if c.good else state]
    if state == 'NONE' or gone:
        return [state] if gone and (c.status == 404 or malformed) else []
    if c.op == 'cancel':
        if c.lost or state not in STATUS[:2]:
            return [state, 'CANCELLED'] if c.good or c.lost else [state]
        return ['CANCELLED'] if c.good and shows('CANCELLED', c.shown) else []
    if c.op == 'retry':
        if state not in ('FAILED', 'TIMED_OUT'):
            return [] if c.good and strict else [state]
        return [state, 'IN_QUEUE'] if c.lost else ['IN_QUEUE'] if c.good else []
    allowed = (c.op != 'status' or shows(state, c.shown)) if c.good else state == 'PURGED'
    return [state] if c.lost or malformed or allowed else []

def constrain(net, more):
    """Adds an instant, and differences (a, b, ms): b is at most ms after a. None where they cannot all hold."""
    edges, t = net[0] + [edge for edge in more if edge[2] < INF], net[1] + [0]
    for _ in range(len(t) + 1):
        wrong = [edge for edge in edges if t[edge[0]] + edge[2] < t[edge[1]]]
        if not wrong:
            return edges, t
        for a, b, ms in wrong:
            t[b] = min(t[b], t[a] + ms)
    return None

by, after = lambda a, b, ms: (a, b, ms), lambda a, b, ms: (b, a, -ms)

def has_story(h, job, calls):
    """Whether the document allows a story of the job in which its calls are answered so; None: there are too many."""
    late, early, tries = h.run.graceMs, h.run.earlyMs, [0 if len(calls) > 150 else 4_000]
    def follow(at, state, bounds, **more):
        n, running = len(at.net[1]), min(at.execution[1], at.now.most if at.now else INF)
        stays = {'IN_QUEUE': 0 if job.at_once else INF, 'IN_PROGRESS': running, 'COMPLETED': at.keep[1]}
        bounds = [after(at.last, n, 0), by(at.since, n, stays.get(at.state, INF) + late), *bounds]
        if at.state not in ('NONE', 'GONE'):
            bounds.append(by(at.life.until, n, at.life.most + late))
        net = constrain(at.net, bounds)
        is_run = state == 'IN_PROGRESS' and at.state == 'IN_QUEUE'
        begun = {'turns': at.turns + 1, 'now': job.runs[min(at.turns, 1)]} if is_run else {}
        since = at.since if state == at.state else n
        return [] if net is None else [Bag({**at, **begun, **more}, net=net, last=n, state=state, since=since)]
    def moves(at):
        state, n = at.state, len(at.net[1])
        kept = {'COMPLETED': at.keep[0], 'FAILED': KEPT, 'TIMED_OUT': KEPT, 'CANCELLED': 0, 'PURGED': 0}
        gone = lambda: [('GONE', at.life.start, at.life.least), ('GONE', at.since, kept.get(state, INF))]
        to = [] if state in ('NONE', 'GONE') else gone()
        if state == 'IN_QUEUE':
            to += [('IN_PROGRESS', at.last, 0)] if job.workers != 0 else []
            to += [('FAILED', at.last, 0)] if at.now and 'IN_QUEUE' in at.now.ends else []
        if state == 'IN_PROGRESS':
            to += [('TIMED_OUT', at.since, at.execution[0])] + [(end, at.since, at.now.least) for end in at.now.ends]
        for other, start, ms in to:
            if ms < INF and (other != 'IN_QUEUE' or at.turns < 4):
                yield from follow(at, other, [after(start, n, ms - early)])
    def passing(at, point):
        state, n, c = at.state, len(at.net[1]), point.call

        def to(then, *bounds, **more):
            return follow(at, then, [after(0, n, point.start), by(0, n, point.until), *bounds], **more)
        if point.kind == 'submit':
            life = Bag(start=n, least=job.ttl[0], until=n, most=job.ttl[1])
            yield from to('IN_QUEUE', submitted=n, life=life) if state == 'NONE' else []
        elif point.kind == 'answer' and c.good and state != 'NONE':
            waited = by(at.submitted, n, job.wait[1] + late)
            if c.shown not in ENDED:
                yield from to(state, waited, after(at.submitted, n, job.wait[0] - early))
            elif shows(state, c.shown):
                yield from to(state, waited, by(at.since, n, late if state == 'COMPLETED' else INF))
        else:
            least, most = span(queried(c, 'ttl'), [6_000, TTL[1]], TTL)
            sets = c.op == 'status' and 'ttl' in c.query
            if sets and state not in ('NONE', 'GONE') and c.status == 404:
                yield from to('GONE', after(at.submitted, n, least - early))
                return
            for then in outcomes(state, job.strict, c):
                accepted = sets and (c.status or 0) < 400
                is_sure = least == most and (job.strict or least >= TTL[0]) and c.good and state not in ENDED
                if c.op == 'retry' and then != state:
                    limits, keep = job.execution + job.usual, [at.keep[0], 30 * MINUTE]
                    yield from to(then, execution=[min(limits), max(limits)], keep=keep, now=None)
                elif accepted:
                    yield from to(then, life=Bag(start=at.submitted, least=least, until=n, most=most))
                    yield from [] if is_sure else to(then)
                else:
                    yield from to(then)
    def explore(at, left):
        tries[0] -= 1
        if not left or tries[0] < 0:
            return True
        ready = [one for one in left if not any(other.end_tick < one.tick for other in left)]
        called = ((one, point) for point in ready for one in passing(at, point))
        return (any(explore(one, [other for other in left if other is not point]) for one, point in called)
                or any(explore(one, left) for one in moves(at)))
    begin = Bag(job, net=([], [0]), last=0, state='NONE', since=0, turns=0)
    found = explore(begin, [point for c in [job.submit, *calls] for point in points_of(c, h.run.clock)])
    return None if tries[0] < 0 else found

def points_of(c, clock):
    point = Bag(kind='call', call=c, tick=c.sentTick, end_tick=c.end_tick, start=c.sentMs, until=c.end_ms)
    submit = Bag(point, kind='submit', until=c.end_ms if c.arrivedByMs is None else c.arrivedByMs)
    if c.op != 'runsync' or c.status is None:
        return [submit if c.submits else point]
    return [submit, Bag(point, kind='answer', start=c.sentMs if clock == 'real' else c.end_ms)]

def terms_of(job, cited):
    sums = [run_of(plan[:n + 1], True).most for plan in job.plans if isinstance(plan, list) for n in range(len(plan))]
    times = [get(c.said, name) for c in cited for name in ('delayTime', 'executionTime')]
    limits = [*TTL, *EXECUTION, *WAIT, DAY, MINUTE, 30 * MINUTE, 90_000, KEPT, 0]
    return [*job.ttl, *job.execution, *job.usual, *job.keep, *job.wait, *limits, *sums, *times,
            *(ms + job.usual[1] for ms in sums), *(queried(c, 'ttl') for c in job.calls)]

def bound_error(b, job_id, origin, job, h, cited):
    c, most, start = h.call.get(b.call, Bag()), b.limit == 'at-most', b['from']
    times = [c.sentMs, c.arrivedByMs, c.receivedMs]
    if c.op != 'runsync' and b.to != 'sent':
        times = times[1:] if most else times[:1]
    if b.call is not None:
        if start != 'clock' or b.ms + origin not in times or b.to[0] == '#' and b.to != f'#{b.call}':
            return f'#{b.call} was not at {b.ms} ms, or is not {b.to}'
        if job_id not in (None, c.job) and c.job is not None and c.op != 'purge-queue':
            return f'#{b.call} is not about {job_id}'
    if start == 'clock':
        return None
    if b.requirement is None:
        is_granted = b.ms >= (h.run.graceMs if start == 'due' else 0) if most else b.ms <= 0
        return None if is_granted else f'nothing grants {b.ms} ms from {start} to {b.to}'
    is_rest = job and job.retried and not most and 'execution-timeout' in b.requirement and b.ms < job.execution[1]
    return None if not job or is_rest or b.ms in terms_of(job, cited) else f'{b.requirement} does not say {b.ms} ms'

def cycle_error(proof, origin, job, h, cited):
    bounds = [Bag(bound) for bound in proof['bounds']]
    places = [(b['from'], b.to) if b.limit == 'at-most' else (b.to, b['from']) for b in bounds]
    total = sum(b.ms if b.limit == 'at-most' else -b.ms for b in bounds)
    errors = ['the cycle breaks' if any(place[0] != places[n - 1][1] for n, place in enumerate(places)) else None,
              *(bound_error(bound, proof['job'], origin, job, h, cited) for bound in bounds)]
    return next(filter(None, errors), None if -total == proof['overMs'] > 0 else f'the bounds add up to {total} ms')

def check_job(rule, failure, h):
    proof, numbers, origin = failure['contradiction'] or {}, failure['calls'], failure.get('originMs', 0)
    bounds, seen = [Bag(bound) for bound in proof.get('bounds', [])], proof.get('seen', [])
    cited = numbers + (get(failure, 'shrunk', 'calls') or []) + [one['call'] for one in seen]
    calls = [h.call.get(number, Bag()) for number in cited]
    last = None if proof else h.call.get(numbers[-1]) if numbers else Bag()
    job_id = proof.get('job') if proof else get(last, 'job')
    job = job_of(h, job_id, calls[0]) if calls and (proof or job_id is not None) else None
    error = cycle_error(proof, origin, job, h, calls) if bounds else None
    if error is not None:
        return REFUSED, error
    for one in seen:
        c = h.call.get(one['call'], Bag())
        is_shown = str(c.shown) in one['showed'] or str(c.status) in one['showed']
        is_then = one['atMs'] + origin in (c.sentMs, c.arrivedByMs, c.receivedMs)
        if c.op != 'purge-queue' and c.job != job_id or not is_shown or not is_then:
            return REFUSED, f"#{one['call']} did not show {one['showed']} of {job_id} at {one['atMs']} ms"
    rules = [rule] + [bound.requirement or '' for bound in bounds]
    if job is None or rule.startswith('6/') or any(re.match(r'2\.4/.*time', each) for each in rules):
        return OPEN, 'it takes more than the calls of one job'
    usual = job.execution if '4.6/keeps-policy' in rules else job.usual
    job.update(strict=bool(re.search('^4[.]6|example', rule)), usual=usual)
    before = [c for c in job.calls if last is None or c is not last and c.sentTick <= last.sentTick]
    if last is not None and has_story(h, job, before) is not True:
        before = [c for c in before if c.good or c.status != last.status]
    if last is not None and has_story(h, job, before) is not True:
        return OPEN, 'it takes several answers'
    until = [c for c in job.calls if c is last or c in before]
    some = [c for c in until if c.call in cited or re.search('cancel|retry|purge', c.op) or 'ttl' in c.query]
    found = has_story(h, job, some) and has_story(h, job, until)
    if found is False:
        return VERIFIED, 'no other explanation'
    tolerances = (b for b in bounds if b.call is None and b['from'] != 'due' and b.requirement is None)
    if found is None or last is not None or any(b['from'] == 'clock' or b.ms > 0 for b in tolerances):
        return OPEN, 'its calls do not show it, or are too many'
    ran = any(c.shown in ENDED + ('IN_PROGRESS',) for c in job.calls)
    is_kept = not job.at_once and not ran and has_story(h, Bag(job, workers=0), some) is False
    others = r'1/|4\.7/|.*(frees-worker|-this-job-only|other-jobs)'
    if is_kept or any(re.match(others, each) for each in rules):
        return OPEN, 'rests on other jobs'
    return REFUSED, f'the document allows these answers about {job_id}'

def main(path):
    try:
        file = Path(path, 'report.json') if Path(path).is_dir() else Path(path)
        requirements = json.loads(file.read_text('utf-8'))['requirements']
        lines = file.with_name('history.ndjson').read_text('utf-8').split('\n')
        h = history_of([json.loads(line) for line in lines if line])
    except (OSError, ValueError, KeyError, StopIteration) as error:
        print(f'{path}: {error}', file=sys.stderr)
        return 2
    results = []
    for rule, nth, failure in ((r['id'], n, f) for r in requirements for n, f in enumerate(r['failures'], 1)):
        kind = get(failure, 'contradiction', 'kind') or 'answer'
        result, how = (OPEN, 'a number') if kind == 'number' else check_job(rule, failure, h)
        line = f'{result}: {rule} {nth} ({kind}): {how}'
        print(''.join('?' if unicodedata.category(c) in ('Cc', 'Cf') else c for c in line))
        results.append(result)
    good, bad, unknown = map(results.count, (VERIFIED, REFUSED, OPEN))
    print(f'{len(results)} failures: {good} verified, {bad} refused, {unknown} not checkable')
    return 1 if bad else 0

if __name__ == '__main__':
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else 2)
