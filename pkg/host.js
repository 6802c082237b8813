var $i=Object.defineProperty;var i=(t,e)=>$i(t,"name",{value:e,configurable:!0});var vt=Number.NaN,Ge,Et,Di=setTimeout,Je=Number.NEGATIVE_INFINITY;function g(){Et!==setTimeout&&Li();let t=vt+Ge.now();return Je=
t,t>=jt&&Fi(t),t}i(g,"now");var jt=Number.POSITIVE_INFINITY,Jr;function It(t,e){jt=t,Jr=e}i(It,"whenPast");function Fi(t){
jt=Number.POSITIVE_INFINITY,Jr?.(t)}i(Fi,"past");var Vr;function Hr(t){Vr=t}i(Hr,"whenReplaced");function Li(){let t=Ge===
performance;Et=setTimeout,Ge=performance;let n=Je===Number.NEGATIVE_INFINITY||Et===Di?Math.max(Date.now(),Je):Je;(!t||vt+
Ge.now()<Je)&&(vt=n-Ge.now()),Vr?.()}i(Li,"lookUp");var _t=2147483647;function qr(t,e){return new Promise(n=>{let r=e<=_t?
setTimeout(n,e):void 0,o=i(()=>{clearTimeout(r),n()},"over");t.then(o,o)})}i(qr,"within");var Yr=!1;function Pt(t){Yr=t}i(Pt,"withinCore");function Ve(t){try{for(let e=t,n=0;e instanceof Error&&n<8;e=e.cause,n+=
1)e.stack}catch{}}i(Ve,"letStackGo");var m=class extends Error{static{i(this,"SubAgentError")}constructor(e,n,r={},o){super(
n,o),Object.defineProperty(this,"name",{value:"SubAgentError",enumerable:!0,configurable:!0,writable:!0}),this.code=e,this.
details=r,Yr&&Ve(this)}toJSON(){let{name:e,code:n,message:r,details:o}=this;return{name:e,code:n,message:r,details:o}}};
function He(t,e){try{if(!(t instanceof Error)||t.name!=="SubAgentError")return!1;let{code:n}=t;return e===void 0?typeof n==
"string":n===e}catch{return!1}}i(He,"isSubAgentError");function Nt(t){try{let{process:e,Deno:n,reportError:r,console:o}=globalThis;e===void 0&&n===void 0&&typeof r=="function"?
r(t):o?.error(t)}catch{}}i(Nt,"logError");function Ct(t,e,n){try{let r=t(n);Ki(r)&&new Promise(o=>o(r)).catch(e)}catch(r){
e(r)}}i(Ct,"notify");function V(t){try{Mt(t)&&Promise.prototype.then.call(t,void 0,()=>{})}catch{}return t}i(V,"atOnce");
function Mt(t){try{return t instanceof Promise}catch{return!1}}i(Mt,"isPromise");function Ki(t){return typeof t=="object"&&
t!==null&&typeof t.then=="function"}i(Ki,"isThenable");var $t=[[0,32],[127,160],[5760,5760],[8192,8202],[8232,8233],[8239,8239],[8287,8287],[12288,12288]],Dt=[[173,173],[847,847],
[1564,1564],[4447,4448],[6068,6069],[6155,6159],[8203,8203],[8206,8207],[8234,8238],[8288,8303],[12644,12644],[65024,65037],
[65279,65279],[65440,65440],[65520,65531],[65534,65535],[113824,113827],[119155,119162],[917504,921599]],zr=[[8204,8205]],
Ft=[["'","’"],['"',"’"],["`","’"],["“","‘"],["”","’"],["[","("],["]",")"],["<","‹"],[">","›"],["＇","\
’"],["＂","’"],["｀","’"],["［","("],["］",")"],["＜","‹"],["＞","›"]],pe=80,Ee=500,bn=300,Qr=80;function qe(t,e){return t.some(([n,r])=>n<=e&&e<=r)}i(qe,"isIn");var Xr;function Ui(){let t=Ft.map(([r])=>r),n=`[${Array.
from({length:94},(r,o)=>String.fromCharCode(33+o)).filter(r=>!t.includes(r)).map(r=>`\\x${r.charCodeAt(0).toString(16)}`).
join("")}]+`;return new RegExp(`^${n}(?: ${n})*$`)}i(Ui,"plainWords");function eo(t){let e=t.codePointAt(0);return e>=55296&&
e<=57343?"�":Ft.find(([n])=>n===t)?.[1]??t}i(eo,"shownInQuotes");function Zr(t){let e=eo(t).codePointAt(0);return e>127&&
!qe($t,e)}i(Zr,"canBeJoined");function*Wi(t){let e=" ",n;for(let r of t){let o=r.codePointAt(0);if(!qe(Dt,o)){if(qe(zr,o)){
n=Zr(e)?r:void 0;continue}n!==void 0&&Zr(r)&&(yield n),n=void 0,e=r,yield r}}}i(Wi,"seenIn");function j(t,e=Qr){return Xr??=
Ui(),t.length<=e&&Xr.test(t)?t:to(t,e,eo)}i(j,"quoted");function no(t,e){return to(t,e,n=>n)}i(no,"onOneLine");function to(t,e,n){
let r="",o=0,s=!1;for(let a of Wi(t)){let u=a.codePointAt(0);if(qe($t,u)){s=o>0;continue}let d=o+(s?2:1);if(d>e)return`${r}\
…`;let l=n(a);r+=s?` ${l}`:l,s=!1,o=d}return r}i(to,"lineOf");function je(t){let e="";for(let n of JSON.stringify(t)){let r=n.codePointAt(0),o=r<127||r>160&&r!==8232&&r!==8233&&!qe(Dt,
r);e+=o?n:Bi(n)}return e}i(je,"jsonForModel");function Bi(t){return Array.from({length:t.length},(e,n)=>`\\u${t.charCodeAt(
n).toString(16).padStart(4,"0")}`).join("")}i(Bi,"escaped");function E(t){let e=t;return e.isWellFormed?.()??!/[\ud800-\udfff]/u.test(t)?t:e.toWellFormed?.()??t.replace(/[\ud800-\udfff]/gu,
"�")}i(E,"wellFormed");function yn(t){return t.includes("\\ud")?t.replace(/\\(?:ud[89a-f][\da-f]{2}|.)/g,e=>e.length>2?
"�":e):t}i(yn,"wellFormedJson");var Gi=32,Ji=1e5;function se(t){try{return ro(t,0,{left:Ji})}catch{return t}}i(se,"wel\
lFormedIn");function ro(t,e,n){if(typeof t=="string")return E(t);if(typeof t!="object"||t===null||e>Gi)return t;let r=Object.
getPrototypeOf(t),o=Array.isArray(t);if(!o&&r!==Object.prototype&&r!==null)return t;let s={},a=!1;for(let[u,d]of Object.
entries(Object.getOwnPropertyDescriptors(t))){if(n.left-=1,n.left<0)return t;let l=E(u),c="value"in d?ro(d.value,e+1,n):
void 0;a||=l!==u||c!==d.value,Object.defineProperty(s,l,{value:"value"in d?{...d,value:c}:d,enumerable:!0})}return a?Object.
defineProperties(o?[]:Object.create(r),s):t}i(ro,"replacedIn");function kn(t,e){let n=0;for(let r=0;r<t.length;){let o=t.
codePointAt(r);if(n+=o<128?1:o<2048?2:o<65536?3:4,n>e)return t.slice(0,r);r+=o>65535?2:1}return t}i(kn,"headOf");var oo=new WeakMap;function wn(t,e){return e!==t.message&&oo.set(t,e),t}i(wn,"tellingModels");function Ye(t){return oo.get(
t)??A(t)}i(Ye,"toldOf");function y(t,e,n){let r=`${t} must be ${e}, got ${k(V(n))}`;return new m("invalid_argument",r,{argument:t.
replaceAll("`",""),expected:e})}i(y,"invalid");function k(t){return typeof t=="string"?t.length>40?`a string of ${t.length}\
 characters`:je(t):t==null||typeof t=="number"||typeof t=="boolean"?String(t):typeof t=="object"?Vi(t):`a ${typeof t}`}i(
k,"describe");function Vi(t){if(Mt(t))return"a promise";try{return Array.isArray(t)?t.length===0?"an empty list":"a list":
"an object"}catch{return"an object"}}i(Vi,"listOrObject");function A(t){try{if(typeof t=="string")return E(t);if(t instanceof
Error)return E(String(t.message)||String(t.name)||"an error without a message");if(typeof t=="object"&&t!==null&&typeof t.
message=="string")return E(t.message)}catch{}return`threw ${k(t)}`}i(A,"messageOf");var so=new WeakMap;function ao(t){if(qi(t))return t;let e=so.get(t);if(e===void 0){let n=new AbortController;t.addEventListener(
"abort",()=>io(n,t),{once:!0}),so.set(t,n),e=n}return t.aborted===!0&&io(e,t),e.signal}i(ao,"tamed");function io(t,e){let n;
try{({reason:n}=e)}catch(r){n=r}t.abort(n)}i(io,"fire");var Hi=["aborted","reason","addEventListener","removeEventListen\
er"];function qi(t){return Object.getPrototypeOf(t)===AbortSignal.prototype&&!Hi.some(e=>Object.hasOwn(t,e))}i(qi,"isPla\
tforms");var uo={prompt:"instructions",input:"instructions",concurrency:"maxConcurrent",maxsteps:"maxTurns",maxretries:"retry",abortsignal:"\
signal",runinbackground:"background",name:"nickname"};function ee(t,e){let n=ze(t);if(n.length>40)return;let r,o=Number.
POSITIVE_INFINITY,s=Object.hasOwn(uo,n)?ze(uo[n]):void 0;for(let a of e){let u=ze(a);if(u===s)return a;let d=Yi(n,u);d>=
o||(o=d,r=a)}return r}i(ee,"nearestOf");function lo(t,e){let n=ze(t);if(!(n.length<3||n.length>40))for(let r of e){let o=ze(
r),s=Math.min(n.length,o.length)<7?1:2;if(Math.abs(n.length-o.length)<=s&&co(n,o)<=s)return r}}i(lo,"nearMissOf");function ze(t){
return t.toLowerCase().replaceAll(/[_-]/g,"")}i(ze,"plain");function Yi(t,e){let[n,r]=t.length<e.length?[t,e]:[e,t],o=co(
t,e);return o<=Math.min(3,Math.floor(r.length/3))?o:n.length>=3&&r.startsWith(n)?40+o:Number.POSITIVE_INFINITY}i(Yi,"dis\
tanceOf");function co(t,e){let n=[],r=Array.from({length:e.length+1},(o,s)=>s);for(let o=1;o<=t.length;o+=1){let s=[o];for(let a=1;a<=
e.length;a+=1){let u=t[o-1]===e[a-1],d=Math.min((r[a]??0)+1,(s[a-1]??0)+1,(r[a-1]??0)+(u?0:1));o>1&&t[o-1]===e[a-2]&&t[o-
2]===e[a-1]&&(d=Math.min(d,(n[a-2]??0)+1)),s.push(d)}[n,r]=[r,s]}return r[e.length]??0}i(co,"editsOf");function me(t,e,n){return ie(`${t} has no option \`${e}\``,e,n,{argument:e})}i(me,"unknownOption");function H(t,e,n){let[
r]=Object.keys(e);if(r===void 0)return;let o=`${t}.${r}`;throw ie(`\`${t}\` has no \`${r}\``,r,n,{argument:o},`; it has ${n.
join(", ")}`)}i(H,"noOtherFields");function he(t,e,n){return ie(`${t} has no \`${e}\``,e,n,{argument:e},`; it has ${n.join(
", ")}`)}i(he,"unknownField");function ie(t,e,n,r,o=""){let s=ee(e,n);return s===void 0?new m("invalid_argument",t+o,r):
new m("invalid_argument",`${t}; did you mean \`${s}\`?`,{...r,suggestion:s})}i(ie,"unknownPart");function mo(t,e="a target"){if(typeof t!="object"||t===null)return t;let n=R(e,()=>ae(t,"taskId"));if(typeof n!="string")
throw y(e,Array.isArray(t)?"one id or handle":"an id or a handle",t);return n}i(mo,"idOf");var fo=100,po=1048576,N=16777216;function I(t,e,n="an object"){return R(t,()=>{if(Ie(t,e,n),Array.isArray(e))throw y(t,n,
e);let r=Object.create(null);for(let o of ho(e)){let s=Object.getOwnPropertyNames(o),a=Object.keys(o).length===s.length;
for(let u of s)!(u in r)&&(a||Qi(o,u))&&(r[u]=e[u])}return r})}i(I,"optionsOf");function Qi(t,e){let{enumerable:n,get:r}=Object.
getOwnPropertyDescriptor(t,e)??{};return n===!0||r!==void 0}i(Qi,"isGiven");function ho(t){let e=[t],n=Object.getPrototypeOf(
t);for(;n!==null&&!Xi(n);){if(e.push(n)>fo)throw new Error(`it inherits from more than ${fo} objects`);n=Object.getPrototypeOf(
n)}return e}i(ho,"levelsOf");function Xi(t){return t===Object.prototype||Object.getPrototypeOf(t)===null&&Object.hasOwn(
t,"hasOwnProperty")}i(Xi,"isRoot");function ae(t,e){return ue(t,e,t[e])}i(ae,"propertyOf");function ue(t,e,n){return n===void 0||Object.hasOwn(t,e)||Object.
getPrototypeOf(t)!==Object.prototype&&ho(t).some(o=>Object.hasOwn(o,e))?n:void 0}i(ue,"ownOf");function Ie(t,e,n="an obj\
ect"){if(typeof e=="object"&&e!==null)return e;throw y(t,n,e)}i(Ie,"objectOf");function U(t,e,n,r){return R(t,()=>{if(!Array.
isArray(n))throw y(t,e,n);let{length:o}=n;if(!(o<=po))throw y(t,`a list of at most ${po} entries`,o);let s=[];for(let a=0;a<
o;a+=1){let u=t.endsWith("`")?`${t.slice(0,-1)}[${a}]\``:`${t}[${a}]`;s.push(r(Object.hasOwn(n,a)?R(u,()=>n[a]):void 0,u))}
return s})}i(U,"listOf");function go(t,e){return U(t,"a list",e,n=>n)}i(go,"entriesOf");function Lt(t){return typeof t==
"string"&&t.length<=N}i(Lt,"isText");function C(t,e){if(Lt(e))return e;throw y(t,typeof e=="string"?`a text of at most ${N}\
 characters`:"a string",e)}i(C,"textOf");function _e(t,e){let n=C(t,e);if(Kt(n))return n;throw y(t,"well-formed text, as\
 `toWellFormed()` makes it",e)}i(_e,"nameOf");function Kt(t){return t.isWellFormed?.()??!Zi.test(t)}i(Kt,"isWellFormed");
var Zi=/[\ud800-\udfff]/u;function Ut(t,e,n,r=`the options of ${t}`){return R(r,()=>{let o=I(r,e,`an object such as { ${n[0]}\
 }`),s=Object.keys(o).find(a=>!n.includes(a));if(s!==void 0)throw me(t,s,n);return o})}i(Ut,"knownOptions");function de(t,e){
return new m("invalid_argument",`${t} say the same: give one`,{argument:e})}i(de,"saidTwice");function R(t,e){try{return e()}catch(n){
throw Wt(t,n)}}i(R,"readArgument");function Wt(t,e){return Bt(e)?e:new m("invalid_argument",`${t} can't be read: ${A(e)}`,
{argument:t.replaceAll("`","")},{cause:e})}i(Wt,"unreadable");function Bt(t){try{return t instanceof m}catch{return!1}}i(
Bt,"isOurs");function xn(t,e){if(e!==void 0)return R(t,()=>{let{aborted:n,addEventListener:r,removeEventListener:o}=Object(
e);if(typeof n=="boolean"&&typeof r=="function"&&typeof o=="function")return ao(e);throw y(t,"an AbortSignal",e)})}i(xn,
"signalOf");var ea=100,na=500,ta=["completed","cancelled","blocked_on_user"];function ra({status:t="pending"}){return!ta.includes(t)}
i(ra,"isOpenTodo");function bo(t){let e=0,n=[],r=U("`todos`","a list of { content, status }",t,(o,s)=>{let{content:a,description:u,
status:d="pending"}=Object(o),l=a??u;if(typeof l!="string")throw y(`the \`content\` or \`description\` of ${s}`,"a strin\
g",l);if(typeof d!="string")throw y(`the \`status\` of ${s}`,"a string",d);return{content:E(l),status:E(d)}});for(let{content:o,
status:s}of r){let a={content:Sn(o,na),status:Sn(s,40)};ra(a)&&(e+=1),n.length<ea&&n.push(a)}return{open:e,json:JSON.stringify(
n)}}i(bo,"readTodos");function yo(t,{index:e,generation:n,run:r},{open:o,json:s}){let a=t.write(s);t.act(u=>u.todos(g(),
e,n,r,o,a))}i(yo,"reportTodos");function Qe(t){return t===""?[]:JSON.parse(t)}i(Qe,"parseTodos");function Sn(t,e){return t.
length<=e?t:Array.from(t.slice(0,e*2)).slice(0,e).join("")}i(Sn,"firstChars");var ne=["pending","running","idle","completed","failed","timed_out","cancelled","interrupted","closed"],v=["finished","h\
ost_failed","host_threw","invalid_result","host_cancelled","host_timed_out","timeout","idle_timeout","max_turns","budget\
_exhausted","cancelled","ancestor_cancelled","parent_ended","interrupted","closed","signal_aborted","drained","policy","\
marked_failed","host_lost","never_reported"],An=["host_threw","host_failed","host_lost","invalid_result","host_timed_out",
"host_cancelled"];var Gt=["before_spawn","before_start","before_turn","before_tool","after_tool","before_end","on_timeout"],Jt=["inject","\
force_turn","block","finish"],Xe=["adopt","wait","cancel"],On=["tokens","costUsd","turns"];function q(t,e){return e===void 0?void 0:E(C(t,e))}i(q,"string");function le(t,e){return e===void 0?void 0:U(t,"a list o\
f strings",e,(n,r)=>E(C(r,n)))}i(le,"strings");function Tn(t,e){return e===void 0?void 0:_e(t,e)}i(Tn,"name");function $(t,e,n=1){
if(e!==void 0){if(typeof e=="number"&&e>=n&&(Number.isInteger(e)||e===Number.POSITIVE_INFINITY))return e;throw y(t,`a wh\
ole number of at least ${n}, or Infinity`,e)}}i($,"count");function Pe(t,e){if(e!==void 0){if(typeof e=="number"&&e>0)return e;
throw y(t,"a number above 0, or Infinity",e)}}i(Pe,"amount");function Rn(t,e,n=!1){if(e!==void 0){if(n&&e===0)return 0;if(typeof e==
"number"&&e>0)return Math.max(1,Math.round(e));throw y(t,`milliseconds ${n?"of at least":"above"} 0, or Infinity`,e)}}i(
Rn,"duration");function ko(t,e){if(e!==void 0){if(typeof e=="number"&&Number.isSafeInteger(e))return e;throw y(t,"a whol\
e number",e)}}i(ko,"integer");function Ze(t,e){if(e===void 0)return{};let n=I(`\`${t}\``,e,"an object with tokens, costU\
sd or turns"),{tokens:r,costUsd:o,turns:s,...a}=n;H(t,a,On);let u={},[d,l,c]=[$(`\`${t}.tokens\``,r),Pe(`\`${t}.costUsd\``,
o),$(`\`${t}.turns\``,s)];return d!==void 0&&(u.tokens=d),l!==void 0&&(u.costUsd=l),c!==void 0&&(u.turns=c),u}i(Ze,"read\
Budget");var Vt=["inputTokens","outputTokens","cacheReadTokens","cacheWriteTokens","cacheWrite1hTokens","reasoningTokens"],D=i((t,...e)=>e.
map(n=>[n,{figure:t}]),"of"),vn=i((t,...e)=>e.map(n=>[n,{figure:t,apart:!0}]),"apart"),oa=i(()=>new Map([...D("tokens","\
tokens","totalTokens","total_tokens","totalTokenCount"),...D("inputTokens","inputTokens","input_tokens","promptTokens","\
prompt_tokens","promptTokenCount","input"),...D("inputTokens","gen_ai.usage.input_tokens"),...D("outputTokens","outputTo\
kens","output_tokens","completionTokens","completion_tokens","candidatesTokenCount","output"),...D("outputTokens","gen_a\
i.usage.output_tokens"),...D("cacheReadTokens","cacheReadTokens","cachedInputTokens","cached_input_tokens","cachedConten\
tTokenCount"),...D("cacheReadTokens","cachedTokens","cached_tokens"),...D("cacheReadTokens","prompt_cache_hit_tokens","g\
en_ai.usage.cache_read.input_tokens"),...D("cacheWriteTokens","cacheWriteTokens","gen_ai.usage.cache_creation.input_toke\
ns"),...D("cacheWrite1hTokens","cacheWrite1hTokens","cacheWrite1h"),...D("reasoningTokens","reasoningTokens","reasoning_\
tokens","reasoning","thoughtTokens"),...vn("cacheReadTokens","cache_read_input_tokens","cacheReadInputTokens","cacheRead",
"cachedReadTokens"),...vn("cacheWriteTokens","cache_creation_input_tokens","cacheCreationInputTokens","cacheWriteInputTo\
kens"),...vn("cacheWriteTokens","cacheWrite","cachedWriteTokens"),...vn("reasoningTokens","thoughtsTokenCount"),...D("co\
stUsd","costUsd","cost","cost_usd","costUSD","total_cost_usd","totalCostUsd","totalCost","total_cost"),...D("turns","tur\
ns","num_turns"),...D("durationMs","durationMs","duration_ms")]),"makeNames"),sa=i(()=>new Map(Object.entries({inputTokens:{
total:"inputTokens",cacheRead:"cacheReadTokens",cacheWrite:"cacheWriteTokens"},outputTokens:{total:"outputTokens",reasoning:"\
reasoningTokens"},inputTokenDetails:{cacheReadTokens:"cacheReadTokens",cacheWriteTokens:"cacheWriteTokens"},outputTokenDetails:{
reasoningTokens:"reasoningTokens"},prompt_tokens_details:{cached_tokens:"cacheReadTokens",cache_write_tokens:"cacheWrite\
Tokens"},input_tokens_details:{cached_tokens:"cacheReadTokens",cache_write_tokens:"cacheWriteTokens"},inputTokensDetails:{
cached_tokens:"cacheReadTokens",cache_write_tokens:"cacheWriteTokens"},completion_tokens_details:{reasoning_tokens:"reas\
oningTokens"},output_tokens_details:{reasoning_tokens:"reasoningTokens"},outputTokensDetails:{reasoning_tokens:"reasonin\
gTokens"},input_token_details:{cache_read:"cacheReadTokens",cache_creation:"cacheWriteTokens"},output_token_details:{reasoning:"\
reasoningTokens"},cache_creation:{ephemeral_1h_input_tokens:"cacheWrite1hTokens"},cost:{total:"costUsd"}}).map(([t,e])=>[
t,new Map(Object.entries(e))])),"makeWithin"),wo;function ia(){return wo??={names:oa(),within:sa()},wo}i(ia,"tables");var aa=new Set(
["contextTokens","contextWindow","maxOutputTokens","requests","requestUsageEntries","raw","model","modelId","service_tie\
r","server_tool_use","inference_geo","iterations","speed","webSearchRequests","promptTokensDetails","candidatesTokensDet\
ails","cacheTokensDetails","toolUsePromptTokenCount","toolUsePromptTokensDetails","trafficType","prompt_cache_miss_token\
s","cost_details","is_byok"]),en=[];function En(t,e){let{names:n,within:r}=ia(),o={},s=new Set,a=!1;for(let[f,p]of t){if(p==
null)continue;let b=typeof p=="object"?r.get(f):void 0;if(b!==void 0)try{if(!n.has(f)||Object.hasOwn(p,"total")){ua(o,b,
p);continue}}catch{for(let x of b.values())o[x]??=Number.NaN;continue}let h=n.get(f);if(h===void 0){!aa.has(f)&&!r.has(f)&&
e(f);continue}let{figure:w}=h;a||=f==="prompt_tokens",!(o[w]!==void 0&&f!==w)&&(o[w]=F(p),h.apart===!0?s.add(w):s.delete(
w))}a&&s.clear();let{tokens:u,costUsd:d,turns:l,durationMs:c}=o;return{tokens:u??la(o,s),cost:d??-1,turns:l??-1,durationMs:c??
-1,ignored:Ht(u??-1,Vt.map(f=>[f,o[f]]))}}i(En,"figuresOf");function Ht(t,e){return t>=0?e.filter(([,n])=>Number.isNaN(n)).
map(([n])=>n):en}i(Ht,"wrongAmong");function ua(t,e,n){let r=Array.isArray(n)?n:[n];for(let[o,s]of e){let a=r.map(u=>da(
u,o)).filter(u=>u!==-1);a.length>0&&(t[s]??=a.reduce((u,d)=>u+d,0))}}i(ua,"readWithin");function da(t,e){if(typeof t!="o\
bject"||t===null||!Object.hasOwn(t,e))return-1;try{return F(t[e])}catch{return Number.NaN}}i(da,"partOf");function la(t,e){
let n=Math.max(t.cacheWriteTokens??0,t.cacheWrite1hTokens??0),r=(t.cacheWriteTokens??t.cacheWrite1hTokens)!==void 0,o=xo(
t.inputTokens,[[t.cacheReadTokens,e.has("cacheReadTokens")],[r?n:void 0,e.has("cacheWriteTokens")]]),s=xo(t.outputTokens,
[[t.reasoningTokens,e.has("reasoningTokens")]]);return o===void 0&&s===void 0?-1:(o??0)+(s??0)}i(la,"totalOf");function xo(t,e){
let[n,r]=[0,0];for(let[o=0,s]of e)s?r+=o:n+=o;return t===void 0?e.every(([o])=>o===void 0)?void 0:n+r:t+r+(n<=t?0:n)}i(xo,
"sideOf");function F(t){return t==null?-1:typeof t=="number"&&t>=0?t:Number.NaN}i(F,"reading");var qt=["tokens",...Vt,"costUsd","contextTokens","message","todos"];function So(t,e="a report"){return R("a report",()=>{
let{contextTokens:n,message:r,todos:o,...s}=I("a report",t),{tokens:a,cost:u,turns:d,durationMs:l,ignored:c}=En(Object.entries(
s),f=>{throw he(e,f,qt)});if(d!==-1)throw he(e,"turns",qt);if(l!==-1)throw he(e,"durationMs",qt);return r!==void 0&&C("`\
message`",r),{tokens:a,costUsd:u,ignored:c,contextTokens:F(n),message:r,todos:o===void 0?void 0:bo(o)}})}i(So,"readRepor\
t");var Yt={taskId:null,label:null,parentId:null,metadata:null,sessionKey:null};function zt(t){return t===0?[]:On.filter((e,n)=>(t&
1<<n)!==0)}i(zt,"dimensionsOf");var jn=class{constructor(e){this.decoder=new TextDecoder("utf-8",{ignoreBOM:!0});this.admittedIndex=
0;this.admittedGeneration=0;this.index=0;this.generation=0;this.ofRun=0;this.subjects=e}static{i(this,"FactFields")}hasSince(e){
return!0}flag(){return this.byte()===1}json(){return JSON.parse(this.text())}task(){return this.idAt(this.number(),this.
number())}newTask(){return this.admittedIndex=this.number(),this.admittedGeneration=this.number(),this.idAt(this.admittedIndex,
this.admittedGeneration)}subject(){if(this.index=this.number(),this.generation=this.number(),this.index<=1)return Yt;let e=this.
subjects.subjectOf(this.index,this.generation);return this.refresh(),e}run(){return this.ofRun=this.number(),this.ofRun}taskText(){
return this.known(this.subjects.textOf?.(this.admittedIndex,this.admittedGeneration))}output(){return this.known(this.subjects.
outputOf?.(this.index,this.generation,this.ofRun))}dollars(){return this.number()/1e9}instant(){return this.number()||null}amounts(){
return{tokens:this.number(),costUsd:this.dollars(),turns:this.number()}}dimensions(){return zt(this.byte())}name(e){return e[this.
byte()]}list(e){let n=[];for(let r=this.number();r>0;r-=1)n.push(e());return n}idAt(e,n){if(e<=1)return null;let r=this.
subjects.idOf(e,n);return this.refresh(),r}known(e){return e===void 0?this.text():(this.skipText(),e)}};var ca=2**64-2048,fa={idOf:i(()=>null,"idOf"),subjectOf:i(()=>Yt,"subjectOf")},In=class extends jn{constructor(n,r=fa,o=9){
super(r);this.at=0;this.bytes=n,this.form=o}static{i(this,"FactBytes")}get position(){return this.at}hasSince(n){return this.
form>=n}get isOver(){return this.at>=this.bytes.length}byte(){if(this.at>=this.bytes.length)throw new Error("a fact was \
cut off");return this.bytes[this.at++]}number(){let n=this.byte();if(n<128)return n;let r=n-128,o=128;for(;;){let s=this.
byte();if(s<128)return r+=s*o,r>=ca?Number.POSITIVE_INFINITY:r;r+=(s-128)*o,o*=128}}signed(){let n=this.number();return n%
2===0?n/2:-(n+1)/2}text(){let n=this.pass();return n===this.at?"":this.decoder.decode(this.bytes.subarray(n,this.at))}skipText(){
this.pass()}refresh(){}pass(){let n=this.number(),r=this.at;if(this.at+=n,this.at>this.bytes.length)throw new Error("a f\
act was cut off");return r}};var pa=i(t=>({max:t.number(),backoffMs:t.number(),on:t.list(()=>t.name(v))}),"retry"),Ao=i(t=>({label:t.flag()?t.text():
null,nickname:t.flag()?t.text():null,contextHint:t.flag()?t.text():null,tools:t.flag()?t.list(()=>t.text()):null,systemPrompt:t.
flag()?t.text():null,profile:t.flag()?t.text():null,modelId:t.flag()?t.text():null,sourceAgentId:t.flag()?t.text():null,
maxTurns:t.flag()?t.number():null,timeoutMs:t.flag()?t.number():null,idleTimeoutMs:t.flag()?t.number():null,turnEstimate:t.
flag()?t.number():null,priority:t.flag()?t.signed():null,rateLimitKey:t.flag()?t.text():null,disallowedTools:t.flag()?t.
list(()=>t.text()):null,originChannel:t.flag()?t.text():null,originChatId:t.flag()?t.text():null,json:t.flag(),onParentEnd:t.
flag()?t.name(Xe):null,metadata:t.flag()?t.json():null,retry:t.flag()?pa(t):null,turnEstimateUsd:t.flag()?t.dollars():null}),
"spec");function Oo(t,e,n){let r={},{runtime:o,index:s,generation:a}=t,u=t.tools();if(u!==void 0&&!ha(n?.tools,u)&&(r.tools=[...u]),
n?.maxTurns!==void 0||n?.maxCost!==void 0){let d=o.call(l=>l.runLimits(s,a));n.maxTurns!==void 0&&d!==void 0&&d.maxTurns<
n.maxTurns&&(r.maxTurns=d.maxTurns),n.maxCost!==void 0&&d!==void 0&&d.costUsd<n.maxCost&&(r.maxCost=d.costUsd)}return Object.
keys(r).length===0?e:ma(e,r)}i(Oo,"allowed");function ma(t,e){let n=Object.getOwnPropertyDescriptors(t);for(let[r,o]of Object.
entries(e))n[r]={value:o,enumerable:!0,writable:!0,configurable:!0};return Object.create(Object.getPrototypeOf(t),n)}i(ma,
"replaced");function ha(t,e){return t?.length===e.length&&e.every((n,r)=>n===t[r])}i(ha,"isSame");var _n="minimal",ge=[{names:["instructions","goal","message","task","taskDescription","task_description"],kind:"instruct\
ions"},{names:["label"],kind:"label",staged:"label"},{names:["nickname"],kind:"name",staged:"nickname"},{names:["context\
Hint"],kind:"text",staged:"contextHint",isDefined:!0},{names:["tools"],kind:"texts",staged:"tools",isDefined:!0},{names:[
"systemPrompt"],kind:"text",staged:"systemPrompt"},{names:["profile","promptProfile"],kind:"reference",staged:"profile",
isDefined:!0},{names:["modelId"],kind:"text",staged:"modelId"},{names:["agent","agentId"],kind:"reference",staged:"sourc\
eAgentId"},{names:["maxTurns","maxSteps"],kind:"count",staged:"maxTurns",isDefined:!0},{names:["timeoutMs"],kind:"durati\
on",staged:"timeoutMs",isDefined:!0},{names:["idleTimeoutMs"],kind:"duration",staged:"idleTimeoutMs",isDefined:!0},{names:[
"turnEstimate"],kind:"count",staged:"turnEstimate",isDefined:!0},{names:["priority"],kind:"integer",staged:"priority",isDefined:!0},
{names:["rateLimitKey"],kind:"name",staged:"rateLimitKey",isDefined:!0},{names:["onParentEnd"],kind:"onParentEnd",staged:"\
onParentEnd",isDefined:!0},{names:["metadata"],kind:"metadata",staged:"metadata"},{names:["retry"],kind:"retry",staged:"\
retry",isDefined:!0},{names:["turnEstimateUsd"],kind:"dollars",staged:"turnEstimateUsd",isDefined:!0},{names:["maxCost"],
kind:"dollars",isDefined:!0},{names:["background"],kind:"flag",isDefined:!0},{names:["budget"],kind:"budget",isDefined:!0},
{names:["idempotencyKey"],kind:"once"},{names:["retryEnded"],kind:"retryEnded"},{names:["format"],kind:"format"},{names:[
"signal"],kind:"signal"},{names:["origin"],kind:"origin"},{names:["schema"],kind:"schema",isDefined:!0}];function Qt(t,e){return{wait:Number.NaN,isAborted:!1,actor:t,notifies:e}}i(Qt,"callOf");var To={tokens:Number.NaN,cost:Number.
NaN},Ro=new WeakMap;function Pn(t,{reason:e}){return typeof e=="object"&&e!==null&&Ro.get(e)===t}i(Pn,"isOfMove");function be(t){return new m("aborted",`the run that ${t} is left to the next process`,{reason:"drained"})}i(be,"leftBehi\
nd");function vo(t){return t.code==="aborted"&&t.details.reason==="drained"}i(vo,"isLeftBehind");function ga(t){return Ao(
new In(t))}i(ga,"readGiven");var Y=class t{constructor(e,n,r){this.index=0;this.generation=0;this.run=0;this.hostOpen=!1;
this.hostIsOver=!1;this.knowsTools=!1;this.context=void 0;this.result=void 0;this.returned=void 0;this.turn=void 0;this.
agent=void 0;this.isAllowed=!1;this.handed=void 0;this.controller=void 0;this.id=void 0;this.view=void 0;this.told=void 0;
this.ownTools=void 0;this.runtime=e,this.given=n,this.asked=r?.asked,this.text=r?.text,r?.staged?.idempotencyKey!==void 0&&
(this.isKeyed=!0),this.isBackground=r?.background,this.shownAs=r===void 0?void 0:r.staged?.json===!0?"json":"text",this.
ownCheck=r?.schema}static{i(this,"ActiveRun")}static standAlone(){Object.setPrototypeOf(t.prototype,null)}get format(){return this.
shownAs??=this.snapshot().format,this.shownAs}get background(){return this.isBackground??=this.snapshot().background,this.
isBackground}get check(){let{journal:e,sessionData:n,agents:r}=this.runtime,o=this.ownCheck??n.checkOf(this.index,this.generation);
return o===void 0&&e?.goesOn===!0?r.checkOf(this.brief().sourceAgentId):o}get work(){return this.workKey??`${this.taskId}\
-1`}readWork(){this.run===1&&this.isKeyed===void 0&&this.runtime.journal?.goesOn!==!0||(this.workKey=this.runtime.call(e=>e.
workKey(this.index,this.generation,this.run)))}get taskId(){return this.id??=this.runtime.lookup.taskId(this.index,this.
generation),this.id}get latest(){let e=this;for(;e.successor!==void 0;)e=e.successor;return e}nextAttempt(e){let n=new t(
this.runtime,this.given);return n.index=this.index,n.generation=this.generation,n.run=this.run+1,n.text=this.text,n.isBackground=
this.isBackground,n.shownAs=this.shownAs,n.ownCheck=this.ownCheck,n.watch=this.watch,[n.context,this.context]=[this.context,
void 0],n.before=this.returned,n.previousError={reason:e,error:this.returned?.error??null},[n.followers,this.followers]=
[this.followers,void 0],[n.unfollow,this.unfollow]=[this.unfollow,void 0],this.named?.resolve(),this.successor=n,n}follow(e){
this.followers??=[],this.followers.push(e)}expectName(){let e=i(()=>{},"resolve"),n=new Promise(r=>{e=r});this.named={promise:n,
resolve:e}}takeStart(){let{starting:e}=this;return e!==void 0&&(this.starting=void 0),e}params(){return this.isAllowed||
this.allow(),this.given}allow(){this.given===void 0?this.given=this.madeParams():(this.knowsTools||this.asked!==void 0)&&
(this.given=Oo(this,this.given,this.asked)),this.isAllowed=!0}madeParams(){let{tools:e,systemPrompt:n,maxTurns:r,background:o}=this.
snapshot(),s={instructions:this.prompt(),maxTurns:r,background:o,...e&&{tools:e},...n&&{systemPrompt:n}};return{...this.
keptParams(),...s}}keptParams(){let e={},n=this.runtime.call(o=>o.given(this.index,this.generation));if(n!==void 0){let o=ga(
n);for(let{names:s,staged:a}of ge)a!==void 0&&o[a]!==null&&(e[s[0]]=o[a]);o.json&&(e.format="json"),o.originChannel!==null&&
(e.origin={channel:o.originChannel,chatId:o.originChatId})}let r=Object.entries(this.snapshot().budget).flatMap(([o,{cap:s}])=>Number.
isFinite(s)?[[o,s]]:[]);if(r.length>0){let o=Object.fromEntries(r);e.budget=o,o.costUsd!==void 0&&(e.maxCost=o.costUsd)}
return e}handedRun(){return this.handed??=this.runtime.makeRun(this),this.handed}prompt(){return this.text??this.runtime.
call(e=>e.message(this.index))}snapshot(){return this.view??=this.runtime.lookup.snapshot(this.index,this.generation),this.
view}tools(){if(this.knowsTools)return this.ownTools??=this.runtime.call(e=>e.toolsOf(this.index,this.generation))??this.
snapshot().tools,this.ownTools??void 0}brief(){return this.told??=this.runtime.lookup.brief(this.index,this.generation),
this.told}get signal(){return this.controller===void 0&&(this.controller=new AbortController,this.aborted!==void 0&&this.
controller.abort(this.abortError(this.aborted))),this.controller.signal}abort(e){this.aborted=e,this.controller?.abort(this.
abortError(e)),this.stopping?.(e)}whenAborted(e){this.aborted!==void 0?e(this.aborted):this.stopping=e}letGo(){this.context=
void 0,this.given=void 0,this.controller=void 0,this.handed=void 0,this.stopping!==void 0&&(this.stopping=void 0)}abortError(e){
let n=new m("aborted",`the sub-agent was told to stop: ${e}`,{reason:e});return this.isLeft&&Ro.set(n,this.runtime),n}get isLeft(){
return this.aborted==="drained"&&this.runtime.journal?.leavesRuns===!0}};function Eo(t,e,n){let r,o=To;try{n!==void 0&&(o=ka(n));let a=e.agent;if(e.turn!==void 0||a?.asksForTurn===!0)throw new m(
"invalid_argument","the last beforeTurn has not answered yet");let{gates:u,runs:d}=t;u.sub.has("before_turn")||a?.hasInjected===
!0?r=u.beforeTurn(u.agentOf(e),()=>d.takeTurn(e,o)):r=d.takeTurn(e,o)}catch(a){r=Promise.reject(a)}let s=t.answer(r);return e.
watch===void 0?s:ya(e,s)}i(Eo,"beforeTurn");async function ya(t,e){let n=await e;return n.go&&t.watch?.(t,{turn:n.turn}),
n}i(ya,"watched");function ka(t){return R("the options of beforeTurn",()=>{let{tokens:e,costUsd:n}=Ut("beforeTurn",t,["t\
okens","costUsd"]),r=n===0?0:Pe("`costUsd`",n);return{tokens:$("`tokens`",e)??Number.NaN,cost:r??Number.NaN}})}i(ka,"est\
imateOf");function jo(t,e,n){let{tokens:r,costUsd:o,ignored:s,contextTokens:a,message:u,todos:d}=So(n);if(t.isClosed)return;
u!==void 0&&t.gates.agentOf(e).say(u);let l=u===void 0?-1:t.write(u),{index:c,generation:f,run:p}=e;t.act(b=>b.report(g(),
c,f,p,r,o,a,l)),t.unknownNames.kindsInReport(s),d!==void 0&&yo(t,e,d),u!==void 0&&e.watch!==void 0&&t.onceKept(()=>e.watch?.(
e,{message:u}))}i(jo,"reportOn");var Nn=class{static{i(this,"BareRun")}#e;#n;constructor(e,n){this.#e=e,this.#n=n}get taskId(){return this.#n.taskId}get run(){
return this.#n.run}get prompt(){return this.#n.prompt()}get signal(){return this.#n.signal}beforeTurn(e){return Eo(this.#e,
this.#n,e)}report(e){jo(this.#e,this.#n,e)}};var wa={triggerAsyncId:void 0,requireManualDestroy:!1},Io;function Po(){return Io??={capture:xa(globalThis)},Io.capture}
i(Po,"capture");function xa({process:t,AsyncLocalStorage:e,AsyncContext:n}){let r=_o(Sa(t))??_o(e&&{AsyncLocalStorage:e});
if(r!==void 0)return r;let o=n?.Snapshot;if(typeof o=="function")return Xt(()=>{let s=new o;return{runInAsyncScope:i((a,u,...d)=>s.
run(()=>a.apply(u,d)),"runInAsyncScope")}})}i(xa,"find");function Sa(t){try{return t?.getBuiltinModule?.("async_hooks")}catch{
return}}i(Sa,"builtIn");function _o(t){let{AsyncResource:e,AsyncLocalStorage:n}=t??{};if(typeof e=="function")return Xt(
()=>new e("SubAgent",wa));if(typeof n?.snapshot=="function")return Xt(()=>{let r=n.snapshot();return{runInAsyncScope:i((o,s,...a)=>r(
()=>o.apply(s,a)),"runInAsyncScope")}})}i(_o,"captureOf");function Xt(t){try{return t().runInAsyncScope(()=>!0)?t:void 0}catch{
return}}i(Xt,"tried");function Zt(){return Po()?.()}i(Zt,"present");function Ne(t){let e=Zt();return e===void 0?t:((...n)=>e.
runInAsyncScope(t,void 0,...n))}i(Ne,"bound");var Cn=class{constructor(e){this.waiting=new Map;this.capture=Po();this.opening=
this.capture?.();this.entered=void 0;this.messages=e}static{i(this,"Contexts")}get matter(){return this.capture!==void 0}keep(e){
e.context=this.capture?.()}sent(e,n,r){let o=this.capture?.();o!==void 0&&this.set(e,n,r,o)}take(e){if(e.context!==void 0||
this.capture===void 0)return;let{index:n,generation:r}=e,o=this.waitingOf(n,r),s=o&&this.messages.answered(n);e.context=
(s===void 0?void 0:o?.contexts.get(s))??this.opening,s!==void 0&&this.drop(n,s)}ended(e,n){let{index:r,generation:o,context:s}=e;
!n&&s!==void 0&&s!==this.opening&&this.messages.waits(r,o,0)&&this.set(r,o,0,s);for(let a of this.waitingOf(r,o)?.contexts.
keys()??[])this.messages.waits(r,o,a)||this.drop(r,a)}set(e,n,r,o){let s=this.waitingOf(e,n);s===void 0&&(s={generation:n,
contexts:new Map},this.waiting.set(e,s)),s.contexts.set(r,o)}waitingOf(e,n){if(this.waiting.size===0)return;let r=this.waiting.
get(e);return r?.generation===n?r:void 0}drop(e,n){let r=this.waiting.get(e);r?.contexts.delete(n)===!0&&r.contexts.size===
0&&this.waiting.delete(e)}enter(e){let n=this.entered;return this.entered=e,n}leave(e){this.entered=e}run(e,n,r){let o=e.
context??this.opening;o===void 0||this.entered===e?n(r):o.runInAsyncScope(n,void 0,r)}taskGone(e,n){this.waitingOf(e,n)!==
void 0&&this.waiting.delete(e)}clear(){this.waiting.clear()}};function $n(t,e){return t.call(n=>n.deniedInVain(e))}i($n,"deniedInVain");var Mn=class{static{i(this,"Denials")}#e=new Set;report(e,n,r){
for(let o of n?.denied??[]){if(this.#e.has(o))continue;this.#e.add(o);let{known:s=[]}=n??{},a=ee(o,s),d=`\`${j(o)}\` is d\
enied, but no tool has that name or fits that pattern`,l=a===void 0?"":`; did you mean \`${j(a)}\`?`;e.report(new m("inv\
alid_argument",d+l,{argument:r,entry:o,known:s,...a&&{suggestion:a}}))}}};var No=16384,Co=32;function Mo(t,e){if(e!==void 0){if(typeof e!="object"||e===null||Array.isArray(e))throw Dn(t,"a plain\
 object of JSON values",e);return yn(nr(e,t,0,{left:No,what:"metadata",most:No}))}}i(Mo,"readMetadata");function $o(t){return t===null?null:JSON.parse(t)}i($o,"metadataOf");function Dn(t,e,n){return y(`\`${t}\``,e,n)}i(Dn,"w\
rong");function nr(t,e,n,r){if(typeof t=="string"||typeof t=="boolean"||t===null)return er(JSON.stringify(t),r);if(typeof t==
"number"){if(!Number.isFinite(t))throw Dn(e,"a number that JSON has",t);return er(JSON.stringify(t),r)}if(typeof t!="obj\
ect")throw Dn(e,"a value that JSON has",t);if(n>=Co)throw new m("invalid_argument",`\`${e}\` nests deeper than ${Co} lev\
els`,{argument:e});if(r.left-=2,Array.isArray(t)){let a=[];for(let u=0;u<t.length;u+=1){if(!Object.hasOwn(t,u))throw Dn(
`${e}[${u}]`,"a value that JSON has",void 0);a.push(nr(t[u],`${e}[${u}]`,n+1,r))}return`[${a.join(",")}]`}let o=Object.getPrototypeOf(
t);if(o!==null&&Object.getPrototypeOf(o)!==null)throw Aa(e,t);let s=[];for(let a of Object.keys(t)){let u=t[a];if(u===void 0)
continue;let d=er(JSON.stringify(a),r);s.push(`${d}:${nr(u,/^[\w$]{1,40}$/.test(a)?`${e}.${a}`:`${e}[…]`,n+1,r)}`)}return`\
{${s.join(",")}}`}i(nr,"jsonOf");function Aa(t,e){let n=Object.prototype.toString.call(e)==="[object Date]"?": give what\
 its `toISOString()` returns":"",r=n===""?`${k(e)} of a class`:"a Date",o=`\`${t}\` must be a plain object of JSON values\
, got ${r}${n}`;return new m("invalid_argument",o,{argument:t})}i(Aa,"wrongClass");function er(t,e){if(e.left-=t.length+
1,e.left>=0)return t;let{what:n,most:r}=e,o=`\`${n}\` must have at most ${r} characters of JSON: keep what is larger you\
rself, under the sub-agent's id`;throw new m("invalid_argument",o,{argument:n,limit:r})}i(er,"spent");var Oa="an object such as { max: 3 }, or false";function Fn(t,e){if(e===void 0)return;if(e===!1)return{max:0};let{max:n,
backoffMs:r,on:o,...s}=I(`\`${t}\``,e,Oa);H(t,s,["max","backoffMs","on"]);let a=$(`\`${t}.max\``,n);if(a===void 0)throw y(
`\`${t}.max\``,"a whole number of at least 1, or Infinity",n);let u={max:a};if(r!==void 0){if(typeof r!="number"||!(r>0)||
!Number.isFinite(r))throw y(`\`${t}.backoffMs\``,"milliseconds above 0",r);u.backoffMs=Math.max(1,Math.round(r))}if(o!==
void 0){let d=`a list of ${An.join(", ")}`;if(u.on=U(`\`${t}.on\``,d,o,(l,c)=>{if(!An.includes(l))throw y(c,`one of ${An.
join(", ")}`,l);return l}),u.on.length===0)throw y(`\`${t}.on\``,d,o)}return u}i(Fn,"readRetry");function Do(t){if(t===void 0||
t===!1)return;if(t===!0)return[];let e=v.filter(o=>o!=="finished"&&o!=="closed"),n=`true, or a list of ${e.join(", ")}`,
r=U("`retryEnded`",n,t,(o,s)=>{if(!e.includes(o))throw y(s,`one of ${e.join(", ")}`,o);return o});if(r.length===0)throw y(
"`retryEnded`",n,t);return r}i(Do,"readRetryEnded");function Ln(t,e,n,r={left:e}){let o=Math.max(0,r.left-e),s=JSON.stringify(t,(a,u)=>{if(r.left-=typeof u=="string"?u.length:
1,r.left<o)throw new Error(n);return u});if(s!==void 0&&s.length>e)throw new Error(n);return s===void 0?void 0:yn(s)}i(Ln,
"jsonWithin");function P(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)}i(P,"isObject");var Ce=i((t,e)=>(n,r)=>typeof n=="n\
umber"&&!t(n)?`${r} must be ${e}`:void 0,"ofNumbers"),Kn=i((t,e)=>(n,r)=>typeof n=="string"&&!t(n)?`${r} must have ${e}`:
void 0,"ofTexts"),Un=i((t,e)=>(n,r)=>Array.isArray(n)&&!t(n)?`${r} must have ${e}`:void 0,"ofLists"),tr=i((t,e)=>(n,r)=>P(
n)&&!t(n)?`${r} must have ${e}`:void 0,"ofObjects"),Wn=i(t=>(e,n)=>{if(P(e))for(let r of Object.keys(e)){let o=t(r,e[r],
n);if(o!==void 0)return o}},"eachField"),Bn=i(()=>{},"nothing"),rr=i((t,e,n)=>{let r=t.find(o=>!Object.hasOwn(e,o));return r===
void 0?void 0:`${tn(n,r)} is missing`},"lacking");function nn(t,e){if(Object.is(t,e)||t===e)return!0;if(Array.isArray(t)&&
Array.isArray(e))return t.length===e.length&&t.every((o,s)=>nn(o,e[s]));if(!P(t)||!P(e))return!1;let[n,r]=[Object.keys(t),
Object.keys(e)];return n.length===r.length&&n.every(o=>Object.hasOwn(e,o)&&nn(t[o],e[o]))}i(nn,"same");function Fo(t){return JSON.
stringify(t,(e,n)=>P(n)?Object.fromEntries(Object.entries(n).sort(([r],[o])=>r<o?-1:1)):n)}i(Fo,"canonical");var or=i(t=>[
...t].length,"points"),tn=i((t,e)=>/^[A-Za-z_$][\w$]*$/.test(e)?`${t}.${e}`:`${t}[${JSON.stringify(e)}]`,"field");var Ta=new Set(["$schema","$id","$comment","$defs","definitions","title","description","default","examples","deprecated",
"readOnly","writeOnly","format","contentEncoding","contentMediaType","contentSchema","discriminator","example","external\
Docs","propertyOrdering","xml"]),Ra=i(t=>Ta.has(t)||t.startsWith("x-"),"isAnnotation"),sr={string:i(t=>typeof t=="string",
"string"),number:i(t=>typeof t=="number","number"),integer:i(t=>Number.isInteger(t),"integer"),boolean:i(t=>typeof t=="b\
oolean","boolean"),null:i(t=>t===null,"null"),array:i(t=>Array.isArray(t),"array"),object:P};function Ko(t){return new ir(
t).read(t,"")}i(Ko,"readJsonSchema");var ir=class{static{i(this,"Reader")}#e;#n=new Map;constructor(e){this.#e=e}read(e,n){
if(e===!0)return()=>{};if(e===!1)return(a,u)=>`${u} must not be there`;if(!P(e))throw L(n,`must be an object or a boolea\
n, got ${k(e)}`);let r=this.#n.get(e);if(r!==void 0)return r;let o=[],s=i((a,u)=>{for(let d of o){let l=d(a,u);if(l!==void 0)
return l}},"check");this.#n.set(e,s);for(let a of Object.keys(e)){if(Ra(a))continue;let u=Object.hasOwn(ur,a)?ur[a]:void 0;
if(u===void 0)throw L(n,`has \`${a}\`, which is not checked here; it may have ${ja}`);o.push(u({reader:this,schema:e,place:`${n}\
/${a}`,given:e[a]}))}return s}find(e,n){if(e==="#")return this.#e;if(!e.startsWith("#/"))throw L(n,`refers to ${k(e)}; o\
nly references within the schema are read`);let r=this.#e;for(let o of e.slice(2).split("/")){let s=o.replaceAll("~1","/").
replaceAll("~0","~");r=P(r)&&Object.hasOwn(r,s)?r[s]:void 0}if(r===void 0)throw L(n,`refers to ${k(e)}, which is not the\
re`);return r}};function L(t,e){let n=t===""?"`schema`":`\`schema\` at ${t}`;return new m("invalid_argument",`${n} ${e}`,
{argument:"schema"})}i(L,"refused");function W({given:t,place:e},n=Number.NEGATIVE_INFINITY){if(typeof t=="number"&&t>=n)
return t;throw L(e,`must be a number${n===0?" of at least 0":""}, got ${k(t)}`)}i(W,"number");function Uo({given:t,place:e}){
if(Array.isArray(t)&&t.length>0)return t;throw L(e,`must be a list that is not empty, got ${k(t)}`)}i(Uo,"list");function Gn(t){
return Uo(t).map((e,n)=>t.reader.read(e,`${t.place}/${n}`))}i(Gn,"checksOf");function Jn({given:t,place:e}){if(P(t))return t;
throw L(e,`must be an object, got ${k(t)}`)}i(Jn,"object");function Lo(t,e){if(Array.isArray(t)&&t.every(n=>typeof n=="s\
tring"))return t;throw L(e,"must be a list of names")}i(Lo,"names");function ar(t,e){try{return new RegExp(t,"u")}catch(n){
throw L(e,`is no regular expression: ${n.message}`)}}i(ar,"pattern");var va=i((t,e)=>P(t)?Object.keys(t).map(n=>ar(n,`${e}\
/patternProperties`)):[],"patternsIn"),ur={type({schema:t,given:e,place:n}){let r=Array.isArray(e)?e:[e],o=t.nullable===
!0&&!r.includes("null")?[...r,"null"]:r,s=o.map(u=>typeof u=="string"&&Object.hasOwn(sr,u)?sr[u]:void 0);if(s.length===0||
s.includes(void 0))throw L(n,`must be ${Object.keys(sr).join(", ")}, or a list of these; got ${k(e)}`);let a=o.join(" or\
 ");return(u,d)=>s.some(l=>l?.(u))?void 0:`${d} must be of the type ${a}, got ${k(u)}`},nullable({given:t,place:e}){if(typeof t!=
"boolean")throw L(e,`must be a boolean, got ${k(t)}`);return Bn},enum(t){let e=Uo(t);return(n,r)=>e.some(o=>nn(o,n))?void 0:
`${r} must be one of ${JSON.stringify(e)}`},const({given:t}){return(e,n)=>nn(t,e)?void 0:`${n} must be ${JSON.stringify(
t)}`},properties(t){let e=Object.entries(Jn(t)).map(([n,r])=>[n,t.reader.read(r,`${t.place}/${n}`)]);return(n,r)=>{if(P(
n))for(let[o,s]of e){let a=Object.hasOwn(n,o)?s(n[o],tn(r,o)):void 0;if(a!==void 0)return a}}},required({given:t,place:e}){
let n=Lo(t,e);return(r,o)=>P(r)?rr(n,r,o):void 0},patternProperties(t){let e=Object.entries(Jn(t)).map(([n,r])=>[ar(n,t.
place),t.reader.read(r,`${t.place}/${n}`)]);return Wn((n,r,o)=>{for(let[s,a]of e){let u=s.test(n)?a(r,tn(o,n)):void 0;if(u!==
void 0)return u}})},additionalProperties({reader:t,schema:e,given:n,place:r}){let o=new Set(P(e.properties)?Object.keys(
e.properties):[]),s=va(e.patternProperties,r),a=t.read(n,r),u=i(d=>o.has(d)||s.some(l=>l.test(d)),"isKnown");return Wn((d,l,c)=>u(
d)?void 0:a(l,tn(c,d)))},propertyNames({reader:t,given:e,place:n}){let r=t.read(e,n);return Wn((o,s,a)=>r(o,`the name ${JSON.
stringify(o)} in ${a}`))},dependentRequired(t){let e=Object.entries(Jn(t)).map(([n,r])=>[n,Lo(r,`${t.place}/${n}`)]);return(n,r)=>{
if(P(n))return rr(e.flatMap(([o,s])=>Object.hasOwn(n,o)?s:[]),n,r)}},dependentSchemas(t){let e=Object.entries(Jn(t)).map(
([n,r])=>[n,t.reader.read(r,`${t.place}/${n}`)]);return(n,r)=>{for(let[o,s]of e){let a=P(n)&&Object.hasOwn(n,o)?s(n,r):void 0;
if(a!==void 0)return a}}},minProperties:i(t=>{let e=W(t,0);return tr(n=>Object.keys(n).length>=e,`at least ${e} fields`)},
"minProperties"),maxProperties:i(t=>{let e=W(t,0);return tr(n=>Object.keys(n).length<=e,`at most ${e} fields`)},"maxProp\
erties"),items({reader:t,schema:e,given:n,place:r}){let o=Array.isArray(e.prefixItems)?e.prefixItems.length:0,s=t.read(n,
r);return(a,u)=>{if(Array.isArray(a))for(let d=o;d<a.length;d+=1){let l=s(a[d],`${u}[${d}]`);if(l!==void 0)return l}}},prefixItems(t){
let e=Gn(t);return(n,r)=>{if(Array.isArray(n))for(let[o,s]of e.entries()){let a=o<n.length?s(n[o],`${r}[${o}]`):void 0;if(a!==
void 0)return a}}},contains({reader:t,schema:e,given:n,place:r}){let o=t.read(n,r),s=i((d,l)=>{let c={reader:t,schema:e,
place:`${r}/../${d}`,given:e[d]};return c.given===void 0?l:W(c,0)},"bound"),[a,u]=[s("minContains",1),s("maxContains",Number.
POSITIVE_INFINITY)];return(d,l)=>{if(!Array.isArray(d))return;let c=d.filter((f,p)=>o(f,`${l}[${p}]`)===void 0).length;if(!(c>=
a&&c<=u))return`${l} must have ${c<a?`at least ${a}`:`at most ${u}`} of what it has to contain, it has ${c}`}},minContains:i(
()=>Bn,"minContains"),maxContains:i(()=>Bn,"maxContains"),minItems:i(t=>{let e=W(t,0);return Un(n=>n.length>=e,`at least\
 ${e} entries`)},"minItems"),maxItems:i(t=>{let e=W(t,0);return Un(n=>n.length<=e,`at most ${e} entries`)},"maxItems"),uniqueItems:i(
({given:t})=>Un(e=>t!==!0||new Set(e.map(Fo)).size===e.length,"no entry twice"),"uniqueItems"),minimum:i(t=>{let e=W(t);
return Ce(n=>n>=e,`at least ${e}`)},"minimum"),maximum:i(t=>{let e=W(t);return Ce(n=>n<=e,`at most ${e}`)},"maximum"),exclusiveMinimum:i(
t=>{let e=W(t);return Ce(n=>n>e,`more than ${e}`)},"exclusiveMinimum"),exclusiveMaximum:i(t=>{let e=W(t);return Ce(n=>n<
e,`less than ${e}`)},"exclusiveMaximum"),multipleOf:i(t=>{let e=W(t);if(e<=0)throw L(t.place,"must be above 0");return Ce(
i(r=>Math.abs(r/e-Math.round(r/e))<1e-9,"isWhole"),`a multiple of ${e}`)},"multipleOf"),minLength:i(t=>{let e=W(t,0);return Kn(
n=>or(n)>=e,`at least ${e} characters`)},"minLength"),maxLength:i(t=>{let e=W(t,0);return Kn(n=>or(n)<=e,`at most ${e} c\
haracters`)},"maxLength"),pattern({given:t,place:e}){let n=ar(t,e);return Kn(r=>n.test(r),`the pattern ${n.source}`)},allOf(t){
let e=Gn(t);return(n,r)=>e.reduce((o,s)=>o??s(n,r),void 0)},anyOf(t){let e=Gn(t);return(n,r)=>{let o=e.map(s=>s(n,r));return o.
includes(void 0)?void 0:`${r} fits none of the alternatives: ${o.join("; ")}`}},oneOf(t){let e=Gn(t);return(n,r)=>{let o=e.
map(a=>a(n,r)),s=o.filter(a=>a===void 0).length;if(s!==1)return s>1?`${r} fits ${s} alternatives, not one`:`${r} fits no\
ne of the alternatives: ${o.join("; ")}`}},not({reader:t,given:e,place:n}){let r=t.read(e,n);return(o,s)=>r(o,s)===void 0?
`${s} must not be as it is`:void 0},$ref({reader:t,given:e,place:n}){if(typeof e!="string")throw L(n,`must be a text, go\
t ${k(e)}`);return t.read(t.find(e,n),e)}},Ea=Object.keys(ur),ja=Ea.join(", ");function Wo(t){if(t===void 0)return;if((typeof t=="object"&&t!==null||typeof t=="function")&&"~standard"in t)return Ia(t);
if(typeof t!="object"||t===null||Array.isArray(t))throw y("`schema`","a Standard Schema or a JSON Schema object",t);let n=Ko(
t);return{schema:t,check(r,o){if(r===void 0)return Bo;let s=Go(r,o);if("wrong"in s)return s;let a=JSON.parse(s.json);try{
let u=n(a,"value");return u===void 0?{value:a,json:s.json}:{wrong:u}}catch(u){return{wrong:`the schema failed: ${A(u)}`}}}}}
i(Wo,"readSchema");var Bo={wrong:"the result has no `value`, and its `schema` asks for one"};function Ia(t){let e=t["~st\
andard"],{validate:n}=typeof e=="object"&&e!==null?e:{};if(typeof n!="function")throw y("`schema`","a Standard Schema wi\
th `validate`",t);return{schema:t,check(r,o){if(r===void 0)return Bo;let s=i(u=>({wrong:`the schema failed: ${A(u)}`}),"\
failed"),a=i(u=>{try{return _a(u,o)}catch(d){return s(d)}},"judge");try{let u=n(se(r));return typeof u=="object"&&u!==null&&
typeof u.then=="function"?Promise.resolve(u).then(a,s):a(u)}catch(u){return s(u)}}}}i(Ia,"readStandard");function _a(t,e){
if(typeof t!="object"||t===null)return{wrong:`the schema failed: it answered ${k(t)}`};if(t.issues!==void 0)return{wrong:t.
issues.map(Pa).join("; ")||"the schema refused the value"};let n=Go(t.value,e);return"wrong"in n?n:{value:t.value,json:n.
json}}i(_a,"judged");function Pa({message:t,path:e=[]}){return`value${e.map(r=>typeof r=="object"?r.key:r).map(String).map(
r=>/^\d+$/.test(r)?`[${r}]`:`.${r}`).join("")}: ${t}`}i(Pa,"sayIssue");function Go(t,e){let n=`as JSON, and \`maxResultBy\
tes\` allows ${e}`,r=Math.max(e,N),o;try{o=Ln(t,r,`it has more than ${r} bytes ${n}`)}catch(a){return{wrong:`value is no\
 JSON: ${A(a)}`}}if(o===void 0)return{wrong:`value is no JSON: ${k(t)}`};let s=o.length*3<=e?o.length:new TextEncoder().
encode(o).length;return s>e?{wrong:`value has ${s} bytes ${n}`}:{json:o}}i(Go,"store");function on(t){return t.staged??=zo({}),t.staged}i(on,"stagedBy");var rn=new Map(ge.flatMap(({names:t,kind:e})=>t.map(n=>[
n,e]))),Na=i(()=>[...rn.keys()].filter(t=>rn.get(t)==="instructions"),"texts");function sn(t,e,n=!1){try{return Ca(t,e,n)}catch(r){throw Wt("the options of spawn",r)}}i(sn,"readSpawn");function Ca(t,e,n){
let r=Ma(t)?t:I("the options of spawn",t),o={text:void 0,renamed:!1,background:!1,manual:!1,answers:0,tokens:Number.NaN,
cost:Number.NaN,turns:Number.NaN,staged:void 0,asked:void 0,signal:void 0,schema:void 0,watch:void 0,call:void 0},s,a=!1;
for(let u of Object.getOwnPropertyNames(r))if(u==="instructions")o.text=Yo(r,u,o.text);else if(u==="background"){let{background:d}=r;
if(d!==void 0&&typeof d!="boolean")throw y("`background`","a boolean",d);o.background=d===!0,a=d!==void 0}else if(rn.has(
u))Fa(o,r,u)||(s??={__proto__:null},s[u]=r[u]);else if(Object.prototype.propertyIsEnumerable.call(r,u))throw me("spawn",
u,[...rn.keys()]);if(Number.isNaN(o.cost)||(o.asked=Jo(o,r)),s!==void 0||n&&!Number.isNaN(o.cost)){if(o.staged=zo(s??{}),
o.asked=Jo(o,r),n&&$a(o,o.staged),o.staged.idempotencyKey!==void 0){let d=Vo({...o,tokens:Number.NaN,cost:Number.NaN,turns:Number.
NaN});o.staged.parameters=Vo(o),o.staged.work=d}else if(o.staged.retryEnded!==void 0)throw new m("invalid_argument","`re\
tryEnded` is for a spawn with an `idempotencyKey`",{argument:"retryEnded"});let u=o.staged.onParentEnd!==void 0;if(e?.agents.
fill(o,o.staged,a),e!==void 0&&u&&!o.background)throw new m("invalid_argument","`onParentEnd` is for `background: true`:\
 others end with their caller",{argument:"onParentEnd"});o.staged.profile!==void 0&&e?.profiles.check(o.staged.profile)}
return o}i(Ca,"read");function Ma(t){return typeof t!="object"||t===null?!1:("instructions"in t,Object.getPrototypeOf(t)===
Object.prototype)}i(Ma,"isPlain");function Jo({staged:t,cost:e},n){return{tools:t?.tools,maxTurns:Object.hasOwn(n,"maxTu\
rns")?t?.maxTurns:void 0,maxCost:Object.hasOwn(n,"maxCost")&&!Number.isNaN(e)?e:void 0}}i(Jo,"askedOf");function $a(t,e){
e.wishedTurns=e.maxTurns,e.maxTurns=void 0,!Number.isNaN(t.cost)&&(e.wishedCost=t.cost,t.cost=Number.NaN)}i($a,"wish");function Vo({
signal:t,renamed:e,asked:n,call:r,schema:o,staged:s,...a}){let{idempotencyKey:u,metadata:d,label:l,retryEnded:c,...f}=s;
return JSON.stringify({...a,...f,...o&&{schema:!0}},(p,b)=>typeof b=="number"?`${b}`:b)}i(Vo,"parametersOf");function Yo(t,e,n){
let r=t[e];if(r===void 0)return n;let o=Lt(r)?r:C(`\`${e}\``,r);if(n!==void 0)throw Ho(e,`says the same as another optio\
n: give one of ${Na().join(", ")}`);if(Da(o))throw Ho(e,"must not be empty");return E(o)}i(Yo,"readText");function Ho(t,e){
return new m("invalid_argument",`\`${t}\` ${e}`,{argument:t})}i(Ho,"wrongText");function Da(t){let e=t.charCodeAt(0);return!(e>
32&&e<127)&&t.trim()===""}i(Da,"isBlank");function Fa(t,e,n){switch(n){case"maxCost":{let r=Pe("`maxCost`",e.maxCost);return r!==
void 0&&(t.cost=qo(t.cost,r,"maxCost")),!0}case"budget":{let r=Ze("budget",e.budget);return r.tokens!==void 0&&(t.tokens=
r.tokens),r.costUsd!==void 0&&(t.cost=qo(t.cost,r.costUsd,"budget.costUsd")),r.turns!==void 0&&(t.turns=r.turns),!0}case"\
schema":return t.schema=Wo(e.schema),!0;case"signal":return t.signal=xn("`signal`",e.signal),!0;default:{if(rn.get(n)!==
"instructions")return!1;let r=Yo(e,n,t.text);return t.renamed||=r!==t.text,t.text=r,!0}}}i(Fa,"readAtOnce");function qo(t,e,n){
if(!Number.isNaN(t))throw de("`maxCost` and `budget.costUsd`",n);return e}i(qo,"only");function zo(t){let e=Object.create(
null);for(let{names:r,staged:o,kind:s}of ge)if(o!==void 0)for(let a of r){let u=La(s,a,t[a]);if(u!==void 0){if(e[o]!==void 0)
throw de(`\`${r[0]}\` and \`${a}\``,a);e[o]=u}}t.idempotencyKey!==void 0&&(e.idempotencyKey=Tn("`idempotencyKey`",t.idempotencyKey));
let n=Do(t.retryEnded);return n!==void 0&&(e.retryEnded=n),t.origin!==void 0&&Object.assign(e,Ka(t.origin)),Ua(t.format)===
"json"&&(e.json=!0),e}i(zo,"readStaged");function La(t,e,n){if(n===void 0)return;let r=`\`${e}\``;switch(t){case"text":return q(
r,n);case"label":return q(r,n)?.trim()===""?void 0:q(r,n);case"name":return Tn(r,n);case"reference":return n===null?void 0:
Tn(r,n);case"texts":return le(r,n);case"count":return $(r,n);case"dollars":return Pe(r,n);case"duration":return Rn(r,n);case"\
integer":return ko(r,n);case"onParentEnd":return dr(e,n);case"retry":return Fn(e,n);case"metadata":return Mo(e,n);default:
return}}i(La,"readPassed");function Ka(t){let e=I("`origin`",t,"an object with channel and chatId"),{channel:n,chatId:r,
...o}=e;if(H("origin",o,["channel","chatId"]),n!==void 0&&(typeof n!="string"||n===""||n.includes(":")))throw y("`origin\
.channel`","a text without a colon",n);if(r!==void 0&&(typeof r!="string"||r===""))throw y("`origin.chatId`","a text",r);
return{originChannel:q("`origin.channel`",n),originChatId:q("`origin.chatId`",r)}}i(Ka,"originOf");function dr(t,e){if(Xe.
includes(e))return e;throw y(`\`${t}\``,`one of ${Xe.join(", ")}`,e)}i(dr,"onParentEndOf");function Ua(t){if(t===void 0||
t==="text"||t==="json")return t;throw y("`format`","'text' or 'json'",t)}i(Ua,"formatOf");var Qo={description:!0,prompt:!0,model:!0,disallowedTools:!0},ye=class{static{i(this,"Agents")}#e=new Map;constructor(e){
if(e!==void 0)for(let[n,r]of Object.entries(I("`agents`",e,"an object of definitions")))this.#e.set(n,R(`\`agents.${n}\``,
()=>Wa(n,r)))}get names(){return[...this.#e.keys()]}get descriptions(){return[...this.#e].map(([e,{description:n}])=>`- ${e}\
: ${n}`).join(`
`)}checkOf(e){return this.#e.get(e??"")?.request.schema}checkProfiles(e){for(let[n,{staged:r}]of this.#e)if(r.profile!==
void 0)try{e.check(r.profile)}catch(o){let{code:s,message:a,details:u}=o;throw new m(s,`\`agents.${n}.profile\`: ${a}`,{
...u})}}fill(e,n,r){let{sourceAgentId:o}=n;if(o===void 0)return;let s=this.#e.get(o);if(s===void 0){let{names:d}=this,l=d.
length===0?"none is defined":`there are ${d.join(", ")}`;throw new m("unknown_agent",`there is no agent called ${k(o)}; ${l}`,
{agent:o,known:d})}let{request:a,staged:u}=s;Number.isNaN(e.tokens)&&(e.tokens=a.tokens),Number.isNaN(e.cost)&&(e.cost=a.
cost),Number.isNaN(e.turns)&&(e.turns=a.turns),r||(e.background=a.background),e.schema??=a.schema;for(let d of Object.keys(
u))n[d]===void 0&&(n[d]=u[d])}};function Wa(t,e){if(t==="")throw new m("invalid_argument","the name of an agent must not\
 be empty",{argument:"agents"});_e("the name of an agent",t);let n=I(`\`agents.${t}\``,e),{description:r,prompt:o,model:s,
disallowedTools:a}=n;if(typeof r!="string"||r.trim()==="")throw y(`\`agents.${t}.description\``,"a text",r);let u=Object.
entries(n).filter(([c])=>!Object.hasOwn(Qo,c)),d=u.find(([c])=>!Xo.has(c))?.[0];if(d!==void 0)throw ie(`an agent has no \
\`${d}\`: \`agents.${t}\``,d,[...Xo,...Object.keys(Qo)],{argument:`agents.${t}.${d}`});let l=Object.fromEntries(u);o!==void 0&&
(l.systemPrompt=o),s!==void 0&&s!=="inherit"&&(l.modelId=s),l.agent=t;try{let c=sn(l),f=c.staged;return a!==void 0&&(f.disallowedTools=
le("`disallowedTools`",a)),{description:r.trim(),request:c,staged:f}}catch(c){throw Ba(t,c)}}i(Wa,"read");function Ba(t,{
code:e,message:n,details:r}){let{argument:o}=r;if(o===void 0)return new m(e,`\`agents.${t}\`: ${n}`,{...r});let s=`agent\
s.${t}.${Ga[o]??o}`,a=n.startsWith(`\`${o}\``)?`\`${s}\`${n.slice(o.length+2)}`:`\`${s}\`: ${n}`;return new m(e,a,{...r,
argument:s})}i(Ba,"placed");var Ga={systemPrompt:"prompt",modelId:"model"},Xo=new Set(ge.flatMap(({names:[t],isDefined:e})=>e?
[t]:[]));var an={maxConcurrent:3,maxQueued:1e5,maxDepth:1,maxChildren:32,maxTasks:1e5,retain:1e3,maxSessions:1e4,maxAbandoned:16,
maxLost:5,maxTurns:20,turnEstimate:2e3,turnEstimateUsd:.25,wrapUpTokens:1e3,timeoutMs:18e5,graceMs:1e4,idleTimeoutMs:3e5,
abandonMs:6e4,askTimeoutMs:6e5,maxMessages:20,maxResultBytes:1048576,inlineBytes:16384,maxSummaryTokens:2e3,approvalTimeoutMs:6e5,
ageingMs:1e4,idempotencyTtlMs:864e5,maxIdempotencyKeys:1e5,staggerMs:0,maxCooldownMs:36e5,maxCooldowns:1e3,stallMs:5e3,leaseMs:6e4,
maxDeliveries:5,maxNotices:1e5,maxInjected:32};var un=1e3,lr=1e4;var Zo;function K(t,e){Zo??=new Map(Object.keys(an).map((r,o)=>[r,o]));let n=Zo.get(e);return t.call(r=>r.limit(n))}i(K,
"limitOf");var Vn={maxSubAgentSteps:"maxTurns"},es=[...Object.keys(an),...Object.keys(Vn),"budget","totalTokenBudget","taskBudget",
"onLimit"];function Ja(t){let e=Object.keys(Vn).filter(n=>Vn[n]===t);return[t,...e].map(n=>`\`${n}\``).join(", ")}i(Ja,"\
namesOf");var Hn=class{static{i(this,"Bounds")}#e=!1;#n=new Map;#t={};#r;#o;#s;take(e,n){let r=Vn[e]??e;if(e==="budget")
this.#t=Ze(e,n);else if(e==="totalTokenBudget")this.#r=$("`totalTokenBudget`",n);else if(e==="taskBudget")this.#o=Ze(e,n);else if(e===
"onLimit"){if(n!=="queue"&&n!=="reject")throw y("`onLimit`","'queue' or 'reject'",n);this.#s=n}else if(Object.hasOwn(an,
r))this.#i(e,r,n);else return!1;return this.#e=!0,!0}#i(e,n,r){if(typeof r!="number")throw y(`\`${e}\``,"a number",r);if(e!==
n&&$(`\`${e}\``,r),this.#n.has(n))throw new m("invalid_argument",`\`${n}\` and its alias say the same: give one of ${Ja(
n)}`,{argument:e});this.#n.set(n,r)}apply(e,n={},r){if(!this.#e&&Object.keys(n).length===0&&r===void 0)return;let o=this.#t;
if(this.#r!==void 0){if(o.tokens!==void 0)throw de("`totalTokenBudget` and `budget.tokens`","totalTokenBudget");o={...o,
tokens:this.#r}}let s={budget:o,taskBudget:this.#o,onLimit:this.#s},a={...n,limits:[...this.#n],...s};if(!e.call(d=>r===
void 0?d.configure(g(),a):r(d,a)))throw this.#a(e.refusal());e.carryOut(),e.expectSound()}#a(e){let{code:n,message:r,details:o}=e,
s=[...this.#n].find(([a])=>r.startsWith(`\`${a}\``));return s===void 0?e:new m(n,`${r}, got ${k(s[1])}`,{...o})}};function Va(t){return["You are a sub-agent: another agent gave you one task, and you see nothing else of its work.","- W\
ork on this task and on nothing else.","- You can not send messages to the user or ask them anything.",...t?[]:["- You c\
an not start sub-agents."],"- End with a clear and concise summary of what you did and what you found. It is all that th\
e other agent gets."].join(`
`)}i(Va,"minimal");var ke=class{static{i(this,"Profiles")}#e=new Map([[_n,(e,n)=>Va(n)]]);constructor(e){if(e!==void 0)for(let[
n,r]of Object.entries(I("`profiles`",e,"an object of functions"))){if(_e("the name of a profile",n),typeof r!="function")
throw y(`\`profiles.${n}\``,"a function that makes a system prompt",r);this.#e.set(n,o=>r(o()))}}get names(){return[...this.#e.
keys()]}check(e){if(this.#e.has(e))return;let n=[...this.#e.keys()];throw new m("unknown_profile",`there is no profile c\
alled ${k(e)}; there are ${n.join(", ")}`,{profile:e,known:n})}prompt(e,n,r){this.check(e);let o;try{o=this.#e.get(e)?.(
n,r)}catch(s){throw new m("invalid_argument",`the profile ${k(e)} failed: ${A(s)}`,{},{cause:s})}if(typeof o!="string")throw y(
`what the profile ${k(e)} returns`,"a string",o);return o}};var Kf=8<<20,ns=["store","durability","flushMs","compactBytes","onHostLost"];function qn(t){let e=t%512;return{turn:Math.floor(t/1024),injects:t%1024>=512,wrapUp:e===0?void 0:v[e-1]}}i(qn,"turnOf");var Yn=20,Ya=1e3;function za(t={left:2*N}){let e=N;return n=>{let r=Ln(n,e,`the artifacts have more than ${N} characters`,
t);if(r===void 0)throw new Error(`JSON has no ${k(n)}`);return e=Math.max(0,e-r.length-1),r}}i(za,"artifactWriter");function ts(t,e,n){
let r=[],o=[],s={left:2*N},a=za(s),u=0;return U(t,"a list",e,(d,l)=>{if(u>=Yn&&s.left===0){u+=1;return}try{o.push(a(d)),
r.push(se(d))}catch(c){u+=1,s.left=Math.max(0,s.left-Ya),u<=Yn&&n(`${l} was not kept: ${A(c)}`,l)}}),u>Yn&&n(`${u-Yn} mo\
re artifacts were not kept`,t),o.length===0?{artifacts:void 0,artifactsJson:void 0}:{artifacts:r,artifactsJson:`[${o.join(
",")}]`}}i(ts,"readArtifacts");var B=Symbol("unreadable"),M=Symbol("unread"),rs={unreadable:i(()=>{},"unreadable")};function os(t,e){let n=t,r={usage:M,
status:M,output:M,value:M,artifacts:M,taskId:M,error:M};try{if(r.usage=n.usage,r.status=n.status,r.output=n.output,r.value=
n.value,r.artifacts=n.artifacts,r.taskId=n.taskId,r.error=n.error,Object.getPrototypeOf(n)===Object.prototype&&!as(is))return r}catch(o){
us(n,r,o,e)}return ds(n,r,e),r}i(os,"fieldsOfResult");function ss(t){let e=t,n={costUsd:M,cost:M,tokens:M,inputTokens:M,
outputTokens:M,turns:M,durationMs:M};try{if(n.costUsd=e.costUsd,n.cost=e.cost,n.tokens=e.tokens,n.inputTokens=e.inputTokens,
n.outputTokens=e.outputTokens,n.turns=e.turns,n.durationMs=e.durationMs,Object.getPrototypeOf(e)===Object.prototype&&!as(
is))return n}catch(r){us(e,n,r,rs)}return ds(e,n,rs),n}i(ss,"fieldsOfUsage");var is={};function as(t){return"usage"in t||
"status"in t||"output"in t||"value"in t||"artifacts"in t||"taskId"in t||"error"in t||"costUsd"in t||"cost"in t||"tokens"in
t||"inputTokens"in t||"outputTokens"in t||"turns"in t||"durationMs"in t}i(as,"isOnPrototype");function us(t,e,n,r){let o=!1;
for(let s of Object.keys(e))if(e[s]===M){try{if(!o)throw n;e[s]=t[s]}catch(a){e[s]=B,r.unreadable(s,a)}o=!0}}i(us,"readA\
part");function ds(t,e,n){for(let r of Object.keys(e))if(e[r]!==B)try{e[r]=ue(t,r,e[r])}catch(o){e[r]=B,n.unreadable(r,o)}}
i(ds,"keepOwn");var Xa=[[0,"completed success succeeded ok done finished stop endturn"],[1,"failed failure error errored"],[7,"incomplet\
e length maxtokens contentfilter refusal"],[2,"cancelled canceled aborted interrupted"],[3,"timedout timeout"]],Za=new Map(
Xa.flatMap(([t,e])=>e.split(" ").map(n=>[n,t]))),eu=40,nu=200,tu=100;function ls(t){if(t==="completed")return 0;if(!(t.length>
eu))return Za.get(t.toLowerCase().replaceAll(/[\s_-]/g,""))}i(ls,"meaningOf");var zn=class{constructor(e){this.seen=new Set;
this.report=e}static{i(this,"UnknownStatuses")}note(e,n){let r=e.slice(0,nu);if(this.seen.has(r)||this.seen.size>=tu)return;
this.seen.add(r);let o=n?"with an error beside it, it counts as 'failed'":"it counts as 'completed'",s="'completed', 'fa\
iled', 'incomplete', 'cancelled' or 'timed_out'",a=`a host function returned the status ${k(e)}, which has no meaning he\
re: ${o}. Return ${s}`;this.report(new m("invalid_argument",a,{argument:"status",expected:s}))}};function ms(t,e,n){if(typeof t!="object"||t===null)return mr(`spawnSubAgent must resolve to { output, status, usage }, i\
t resolved to ${k(t)}`);let r=new fr(n),o=os(t,r),{usage:s,status:a,output:u,value:d,artifacts:l,taskId:c,error:f}=o;ru(
t,o,n);let p=ce(s)?ou:su(s,n),b=!(ce(f)||f===!1||ps(f)),h=pu(a,b,r,e),w="";typeof u=="string"?w=ps(u)?"":E(u):(!ce(u)||h===
0&&(d===void 0||d===B))&&(r.wrong("output","a string",u),h===0&&(h=5));let x=ce(l)||l===B?hs:cu(l,r);typeof c!="string"&&
!ce(c)&&r.wrong("taskId","a string",c);let S=b&&f!==B?E(cr(A(f))):void 0;return{how:h,output:w,error:r.after(S),cause:r.
cause??(S!==void 0&&typeof f=="object"?f:void 0),hostStatus:typeof a=="string"&&a!=="completed"?E(cr(a)):void 0,hostTaskId:typeof c==
"string"&&c!==""?E(cr(c)):void 0,artifacts:x.artifacts,artifactsJson:x.artifactsJson,value:d===B?void 0:d,valueJson:void 0,
tokens:p.tokens,cost:p.cost,turns:p.turns,durationMs:p.durationMs}}i(ms,"readResult");function ru(t,{usage:e,status:n,output:r,
value:o,artifacts:s,taskId:a,error:u},d){let l=0;for(let c of[e,n,r,o,s,a,u])c!==void 0&&(l+=1);try{if(Object.keys(t).length>
l)for(let c of Object.keys(t))d.inResult(c)}catch{}}i(ru,"lookForOthers");var fr=class{constructor(e){this.cause=void 0;
this.sentences=void 0;this.names=e}static{i(this,"Lost")}unreadable(e,n){if(e==="usage"){this.names.unreadableUsage(n);return}
this.sentences===void 0&&(this.cause=n),this.add(`the result's ${e} can't be read: ${A(n)}`)}wrong(e,n,r){r!==B&&this.add(
`the result's ${e} must be ${n}, got ${k(r)}`)}add(e){this.sentences??=[],this.sentences.push(e)}after(e){return this.sentences===
void 0?e:[...e===void 0?[]:[e],...this.sentences].join("; ")}};function ce(t){return t==null}i(ce,"isAbsent");var ou={tokens:-1,
cost:-1,turns:-1,durationMs:-1,ignored:en},cs={tokens:Number.NaN,cost:Number.NaN,turns:Number.NaN,durationMs:-1,ignored:en};
function su(t,e){if(typeof t!="object"||t===null||!lu(t))return t!==B&&e.noUsage(t),cs;try{let n=ss(t),r=au(t,n)?En(uu(t,
n),o=>e.inUsage(o)):iu(n);return e.kindsInUsage(r.ignored),r}catch(n){return e.unreadableUsage(n),cs}}i(su,"readUsage");
function iu({tokens:t,inputTokens:e,outputTokens:n,costUsd:r,cost:o,turns:s,durationMs:a}){let[u,d]=[F(e),F(n)],l=Number.
isNaN(u+d);return{tokens:fu(t,e,n),cost:F(ce(r)?o:r),turns:F(s),durationMs:F(a),ignored:l?Ht(F(t),[["inputTokens",u],["o\
utputTokens",d]]):en}}i(iu,"ownFigures");function au(t,{tokens:e,inputTokens:n,outputTokens:r,costUsd:o,cost:s,turns:a,durationMs:u}){
let d=0;for(let l of[e,n,r,o,s,a,u])if(ce(l)||(d+=1),typeof l=="object"&&l!==null)return!0;try{return Object.keys(t).length>
d}catch{return!1}}i(au,"hasOthers");function*uu(t,e){yield*Object.entries(e);for(let n of Object.keys(t))Object.hasOwn(e,
n)||(yield[n,du(t,n)])}i(uu,"entriesOf");function du(t,e){try{return t[e]}catch{return B}}i(du,"valueIn");function lu(t){
try{return!Array.isArray(t)&&typeof ue(t,"then",t.then)!="function"}catch{return!1}}i(lu,"isUsage");var hs={artifacts:void 0,
artifactsJson:void 0};function cu(t,e){try{return ts("artifacts",t,n=>e.add(n))}catch(n){return e.add(A(n)),hs}}i(cu,"re\
adArtifactsOf");function cr(t){return t.length>N?t.slice(0,N):t}i(cr,"cut");function gs(t,e,n){if(t.how!==0)return t;let r=e.
check(t.value,n);return r instanceof Promise?r.then(o=>fs(t,o)):fs(t,r)}i(gs,"checkValue");function fs(t,e){if("wrong"in
e){let o=[e.wrong,...t.error===void 0?[]:[t.error]].join("; ");return{...t,how:5,error:o,value:void 0}}let{value:n,json:r}=e;
return{...t,value:n,valueJson:r,output:t.output||r}}i(fs,"judged");function fu(t,e,n){let r=F(t);if(r!==-1)return r;let[
o,s]=[F(e),F(n)];return o===-1&&s===-1?-1:(o===-1?0:o)+(s===-1?0:s)}i(fu,"totalTokens");function pu(t,e,n,r){if(t===B)return 5;
let o=e?1:0;if(ce(t)||t==="")return o;if(typeof t!="string")return n.wrong("status","a string",t),o;let s=ls(t);return s===
void 0&&r.note(t,e),s??o}i(pu,"statusOf");function ps(t){return typeof t=="string"&&!/\S/.test(t)}i(ps,"isBlank");function pr(t,e){
return{...mu,how:t,...e}}i(pr,"endedAs");var mu={how:0,output:"",error:void 0,cause:void 0,hostStatus:void 0,hostTaskId:void 0,
artifacts:void 0,artifactsJson:void 0,value:void 0,valueJson:void 0,tokens:-1,cost:-1,turns:-1,durationMs:-1};function mr(t,e){
return pr(5,{error:t,cause:e})}i(mr,"invalidResult");function Me(){return pr(0,{tokens:0,cost:0,turns:0})}i(Me,"nothing");
function Xn(t,e){return pr(hu(e),{error:t,cause:e})}i(Xn,"threw");function hu(t){return He(t,"worker_lost")?6:He(t,"inva\
lid_result")?5:4}i(hu,"howThrown");var $e=globalThis,hr=setTimeout,xe=new Set,te,bs=0,ys=0,gr;function gu(){let{process:t,navigator:e}=$e;return typeof t?.
uptime=="function"&&t.versions?.node!==void 0&&e?.userAgent!=="Cloudflare-Workers"}i(gu,"isProcess");function br(){return setTimeout===
hr&&!("clock"in hr)&&!("_isMockFunction"in hr)}i(br,"isReal");function ks(t){xe.add(t),Hr(bu),te===void 0&&br()&&gu()&&yu()}
i(ks,"joinBeat");function yr(t){xe.delete(t)}i(yr,"leaveBeat");function bu(){for(let t of[...xe])t.timersReplaced()}i(bu,
"onReplaced");function yu(){Ss(g()),ws()}i(yu,"begin");function ws(){te=setTimeout(ku,un);let{unref:t}=te;t!==void 0?t.call(
te):$e.Deno?.unrefTimer!==void 0?$e.Deno.unrefTimer(te):xs()}i(ws,"next");function xs(){clearTimeout(te),te=void 0,It(Number.
POSITIVE_INFINITY,kr)}i(xs,"end");function ku(){if(te=void 0,xe.size===0||!br()){xs();return}kr(g());for(let t of[...xe])
xe.has(t)&&t.beat();te===void 0&&ws()}i(ku,"onBeat");function Ss(t){bs=t,ys=As(),gr=$e.process?.cpuUsage?.(),It(t+2*un,kr)}
i(Ss,"see");function kr(t){let e=Math.min(t-bs,As()-ys),n=gr===void 0?void 0:$e.process?.cpuUsage?.(gr),r=e-(n===void 0?
0:(n.user+n.system)/1e3);if(Ss(t),!(e<2*un||r<un||!br()))for(let o of[...xe])o.stoodStill(t,Math.round(r))}i(kr,"look");
function As(){return($e.process?.uptime?.()??0)*1e3}i(As,"uptimeMs");var re=class{constructor(e,n,r){this.clear=clearTimeout;this.at=0;this.keepsAlive=!1;this.isWaking=!1;this.fire=e,this.stood=
n,this.context=r,this.ring=()=>{this.timer=void 0;let o=g()<this.at;this.timer===void 0&&(o?this.arm():this.goOff())}}static{
i(this,"Alarm")}set(e){this.at=e,!this.isWaking&&(this.disarm(),this.arm())}keepAlive(e){if(this.keepsAlive===e)return;this.
keepsAlive=e;let n=this.timer;e?n?.ref?.():n?.unref?.()}stop(){this.disarm(),this.isWaking=!1,yr(this)}beat(){this.keepsAlive||
this.isWaking||this.stood===void 0||(this.stop(),this.fire())}stoodStill(e,n){this.stood===void 0?this.at+=n:this.stood(
e,n),this.disarm(),this.isWaking=!0,this.startTimer(()=>{wu(()=>{this.isWaking&&(this.isWaking=!1,this.timer=void 0,this.
stood===void 0&&g()<this.at?this.arm():this.goOff())})},1)}timersReplaced(){this.timer!==void 0&&(this.disarm(),this.isWaking=
!1,this.arm())}disarm(){let{timer:e,clear:n}=this;this.timer=void 0,e!==void 0&&n(e)}goOff(){yr(this),this.fire()}arm(){
this.startTimer(this.ring,Math.min(Math.max(Math.ceil(this.at-g()),1),_t)),this.inContext(()=>ks(this))}startTimer(e,n){
this.clear=clearTimeout,this.timer=this.inContext(()=>setTimeout(e,n)),this.keepsAlive||this.timer.unref?.()}inContext(e){
return this.context===void 0?e():this.context.runInAsyncScope(e)}};function wu(t){let{setImmediate:e}=globalThis;e===void 0?
setTimeout(t,0):e(t)}i(wu,"soon");function Zn(t,e,n){let r=i(o=>!e||t.unknown.includes(o)||t.invalid.includes(o)?null:t[o],"known");return{tokens:r("token\
s"),costUsd:r("costUsd"),turns:r("turns"),durationMs:e?n:null}}i(Zn,"figuresOf");function dn(t,{index:e,generation:n},r,{
tokens:o,costUsd:s}){let a={tokens:o,costUsd:s},u=t.call(d=>d.spentInAll(e,n,r));return u===void 0?a:{tokens:u[0]||o,costUsd:u[1]||
s,own:a}}i(dn,"tookOf");function Os(t,e,n){let{actor:r,runtime:o}=t,s=t.policing(),a=t.isMain?void 0:o.lookup.snapshot(r.index,r.generation),u=a===
void 0?Rs:Zn(a.usage,a.startedAt!==null,a.durationMs),d=a===void 0?{}:dn(o,r,a.run,u);return{taskId:a?.taskId??null,status:e,
reason:n,partial:!0,output:vs(o,a?.output??""),error:null,stats:wr(s,{...u,...d,turns:s?.turns??null}),todos:Qe(s?.todos??
""),recentMessages:[...t.messages]}}i(Os,"reportOf");function Ts(t,e,n,r){let o=n.call(a=>a.policing(r.index,r.generation)),
s=n.call(a=>a.goingOn(r.index,r.generation));return{taskId:t.taskId,status:t.status,reason:t.stopReason,partial:t.partial,
output:vs(n,xu(t,e,n,r)),error:t.error??null,stats:wr(o,{...t.figures,...dn(n,r,t.run,t.figures)}),todos:Qe(o?.todos??""),
recentMessages:[...e?.messages??[]],...s.length>0&&{goingOn:s}}}i(Ts,"reportOfResult");function De(t){return je(t)}i(De,
"reportText");function et(t,e,n){return{taskId:t,status:e,reason:null,partial:!1,output:"",error:n,stats:wr(void 0,Rs),todos:[],
recentMessages:[]}}i(et,"reportOfNone");var Rs={tokens:null,costUsd:null,turns:null,durationMs:null};function wr(t,e){let{
tokens:n,costUsd:r,own:o,turns:s,durationMs:a}=e,{contextTokens:u=null,openTodos:d=0,counts:l=[]}=t??{};return{turns:s,tokens:n,
costUsd:r,...o!==void 0&&{own:o},durationMs:a===null?null:Math.round(a),contextTokens:u,openTodos:d,counts:Object.fromEntries(
l)}}i(wr,"stats");function xu(t,e,n,{index:r,generation:o}){let{output:s}=t,a=s===""?null:Su(t,e,n,r,o);if(a===null||a!==
s)return s;let u=xr(a);return u===void 0?s:u.output||(u.recentMessages.at(-1)??"")}i(xu,"outputOf");function Su(t,e,n,r,o){
if(e?.report!==void 0)return e.report;if(n.isClosed||n.call(u=>u.status(r,o))<0)return null;let{run:s,report:a}=n.lookup.
snapshot(r,o);return s===t.run?a:null}i(Su,"madeByPolicy");function xr(t){if(t.startsWith('{"taskId":'))try{let{output:e,
recentMessages:n,stats:r,status:o}=JSON.parse(t);return typeof o=="string"&&typeof e=="string"&&typeof r=="object"&&Array.
isArray(n)?JSON.parse(t):void 0}catch{return}}i(xr,"parseReport");function vs(t,e){if(e==="")return"";let n=t.write(e);return t.
call(r=>r.inline(n))}i(vs,"inlined");var Se={answer:"block",policy:"",text:"the run was told to stop before its policies had answered",reason:"policy"};var Au=10,Ou=500,ln=class{constructor(e,n,r){this.messages=[];this.blockedBecause=void 0;this.report=void 0;this.asksForTurn=
!1;this.injected=[];this.waiting=0;this.pending=void 0;this.isWatched=!1;this.stopped=!1;this.runtime=e,this.actor=n,this.
readPrompt=r}static{i(this,"Agent")}get isMain(){return this.actor.run===0}get prompt(){return this.readPrompt()}say(e){
this.messages.push(Sn(e,Ou)),this.messages.length>Au&&this.messages.shift()}inject(e){this.injected.push(e)}get hasInjected(){
return this.injected.length>0}takeInjected(){let e=this.injected;return this.injected=[],e}context(e,n){return Object.assign(
new Sr(this,e),n)}policing(){let{index:e,generation:n}=this.actor;return this.runtime.call(r=>r.policing(e,n))}count(e,n,r){
let{index:o,generation:s,run:a}=this.actor,u=this.runtime.write(e);return this.runtime.act(d=>d.count(g(),o,s,a,u,n,r))}rule(e,n){
if(this.runtime.isClosed||n===Se)return!1;let{answer:r,policy:o,text:s,reason:a}=n,{index:u,generation:d,run:l}=this.actor;
r==="block"&&!e.endsWith("_tool")&&(this.blockedBecause??=s),r==="finish"&&(this.report=s);let c=this.runtime.write(o),f=this.
runtime.write(o+s)-c,[p,b,h]=[Gt.indexOf(e),Jt.indexOf(r),v.indexOf(a)];return this.runtime.act(w=>w.rule(g(),u,d,l,p,b,
h,c,f))}wait(e){return e==="on_timeout"?{until:i(n=>this.until(n,!1),"until"),over:i(()=>{},"over")}:this.isMain?this.waitAsMain():
this.waitAsRun(e)}waitAsMain(){let e=i(()=>{},"overdue"),n=new re(()=>e());return n.keepAlive(!0),{until:i(r=>{let o=this.
runtime.isClosed?0:K(this.runtime,"approvalTimeoutMs");return o!==Number.POSITIVE_INFINITY&&n.set(g()+o),this.until(r,!1,
({end:s})=>{e=i(()=>s("overdue"),"overdue")})},"until"),over:i(()=>n.stop(),"over")}}waitAsRun(e){let{index:n,generation:r,
run:o}=this.actor;return this.waiting+=1,{until:i(s=>this.until(s,!0,()=>{this.isWatched||this.watch()}),"until"),over:i(
()=>{this.waiting-=1,!(this.waiting>0)&&(this.isWatched=!1,!this.runtime.isClosed&&e!=="before_start"&&this.runtime.act(
s=>s.approved(g(),n,r,o,!1)))},"over")}}watch(){let{index:e,generation:n,run:r}=this.actor;this.isWatched=!0;for(let o of this.
pending??[])o.isWatched=o.isTimed;this.runtime.isClosed||this.runtime.act(o=>o.awaitApproval(g(),e,n,r))}until(e,n,r){this.
pending??=new Set;let{pending:o}=this;return new Promise(s=>{let a={isTimed:n,isWatched:!1,end(u){o.delete(a),s(u)}};o.add(
a),e.then(u=>a.end({value:u}),u=>{o.has(a)?a.end({error:u}):this.runtime.alone(Promise.reject(u))}),this.stopped?a.end("\
stopped"):r?.(a)})}stop(){this.stopped=!0;for(let e of[...this.pending??[]])e.end("stopped")}overdue(){this.isWatched=!1;
let e=[...this.pending??[]];for(let n of e)n.isWatched&&n.end("overdue");e.some(({isTimed:n,isWatched:r})=>n&&!r)&&this.
watch()}},Sr=class{static{i(this,"Context")}#e;#n;#t;constructor(e,n){this.#e=e,this.#n=n}get#r(){return this.#t??=this.#e.
policing(),this.#t}get agent(){return this.#e.isMain?"main":"sub"}get taskId(){let{index:e,generation:n}=this.#e.actor;return this.#e.
isMain?null:this.#e.runtime.lookup.taskId(e,n)}get run(){return this.#e.actor.run}get prompt(){return this.#e.prompt}get turns(){
return this.#r?.turns??0}get contextTokens(){return this.#r?.contextTokens??void 0}get todos(){return Qe(this.#r?.todos??
"")}get openTodos(){return this.#r?.openTodos??0}get recentMessages(){return[...this.#e.messages]}count(e,n={}){let r=this.#e.
count(this.#n,e,n.openTodosOnly===!0);return r>0?"counted":r===0?"nothing_to_count":"exhausted"}report(e,n){return Os(this.#e,
e,n)}};var _s={before_spawn:"beforeSpawn",before_start:"beforeStart",before_turn:"beforeTurn",before_tool:"beforeTool",after_tool:"\
afterTool",before_end:"beforeEnd",on_timeout:"onTimeout"},Ar=["blockedTools",...Object.values(_s)],Ps=["name",...Ar],Es={
before_spawn:["inject","block","finish"],before_start:["inject","block","finish"],before_turn:["inject","block","finish"],
before_tool:["inject","block","finish"],after_tool:["inject","block","finish"],before_end:["inject","force_turn","block",
"finish"],on_timeout:["inject","finish"]},Fe=class{static{i(this,"PolicyList")}#e=new Map;constructor(e,n){let r=new Map,
o=new Set;for(let{policy:s,place:a}of Tu(e,n)){let u=Ru(s,a),d=(r.get(u)??0)+1;r.set(u,d),this.#n(s,a,d===1?u:`${u}#${d}`);
let l=le(nt(a,"blockedTools"),Or(s,a,"blockedTools"));for(let c of l??[])o.add(c)}this.blockedTools=[...o]}#n(e,n,r){let o=R(
n,()=>vu(e));if(o!==void 0)throw he("a policy",o,Ps);if(!R(n,()=>Ar.some(s=>s in e)))throw y(n,`a policy with at least o\
ne of ${Ar.join(", ")}`,e);for(let[s,a]of Object.entries(_s)){let u=Or(e,n,a);if(u===void 0)continue;if(typeof u!="funct\
ion")throw y(nt(n,a),"a function",u);let d=this.#e.get(s)??[];d.push({name:r,ask:i(l=>Reflect.apply(u,e,[l]),"ask")}),this.#e.
set(s,d)}}has(e){return this.#e.size>0&&this.#e.has(e)}ask(e,n,r){let o=this.#e.get(e)??[];for(let[s,a]of o.entries()){let u=js(
a,n,r);if("later"in u)return e!=="before_spawn"?this.#t(e,n,r,s,u.later):(u.later.then(void 0,()=>{}),tt(e,n,a.name,new Error(
"it has to answer at once here, it returned a promise")));let d=Is(e,n,a.name,u);if(d!==void 0)return d}}async#t(e,n,r,o,s){
let a=this.#e.get(e)??[],u=n.wait(e);try{let d=s;for(let l=o;l<a.length;l+=1){let c=a[l],f;if(d===void 0){let b=js(c,n,r);
f="later"in b?await u.until(b.later):b}else f=await u.until(d),d=void 0;if(f==="stopped")return e==="before_tool"||e==="\
before_end"?Se:void 0;let p=f==="overdue"?Eu(e,n,c.name):Is(e,n,c.name,f);if(p!==void 0)return p}return}finally{u.over()}}};
function Tu(t,e){return e===void 0?[]:U(t,"a list of policies",e,(n,r)=>({policy:Ie(r,n,"a policy"),place:r}))}i(Tu,"pol\
iciesOf");function nt(t,e){return t.endsWith("`")?`${t.slice(0,-1)}.${e}\``:`\`${e}\` of ${t}`}i(nt,"within");function Or(t,e,n){
return R(nt(e,n),()=>ae(t,n))}i(Or,"partOf");function Ru(t,e){let n=Or(t,e,"name")??"policy";return E(C(nt(e,"name"),n))}
i(Ru,"nameIn");function vu(t){let e=Object.getPrototypeOf(t),n=e===null||Object.getPrototypeOf(e)===null;return Object.keys(
t).find(r=>!Ps.includes(r)&&(n||/^(before|after|on)[A-Z]/.test(r)))}i(vu,"strangerIn");function js(t,e,n){try{let r=t.ask(
e.context(t.name,n));return typeof r=="object"&&r!==null&&typeof r.then=="function"?{later:new Promise(s=>s(r))}:{value:r}}catch(r){
return{error:r}}}i(js,"answerOf");function Is(t,e,n,r){if("error"in r)return tt(t,e,n,r.error);try{return ju(t,n,r.value)}catch(o){
return tt(t,e,n,o)}}i(Is,"judge");function Eu(t,e,n){let r=new Error("it took too long to answer");return Ns(t)?Cs(n,r):
tt(t,e,n,r)}i(Eu,"overdue");function tt(t,e,n,r){return e.runtime.report(r),Ns(t)?Cs(n,r):void 0}i(tt,"failed");function Ns(t){
return t!=="after_tool"&&t!=="on_timeout"}i(Ns,"isGate");function Cs(t,e){return{answer:"block",policy:t,text:Ms(`the po\
licy ${t} failed: ${A(e)}`),reason:"policy"}}i(Cs,"closed");function Ms(t){return no(t,Ee)}i(Ms,"reasonOf");function ju(t,e,n){
if(n==null)return;if(typeof n!="object")throw new Error(`it answered ${k(n)}`);let r=i(p=>ae(n,p),"part"),[o,s,a,u,d="po\
licy"]=["action","text","reason","report","stopReason"].map(r);if(o==="continue")return;let l=o;if(!Es[t].includes(l))throw new Error(
`it answered ${k(o)}, here it may answer ${["continue",...Es[t]].join(", ")}`);let c={inject:s,force_turn:s??"Take anoth\
er turn before you end.",block:a,finish:u}[l];if(typeof c!="string")throw new Error(`it answered ${l} with ${k(c)} where\
 a text belongs`);if(!v.includes(d))throw new Error(`it answered with the stop reason ${k(d)}`);let f=E(C("what it says",
c));return{answer:l,policy:e,text:l==="block"?Ms(f):f,reason:d}}i(ju,"read");var Le=class{constructor(e,n,r){this.mains=[];this.runtime=e,this.sub=new Fe("`policies.subAgents`",n.subAgents),this.policies=
new Fe("`policies.main`",n.main),this.guardSpawns=this.sub.has("before_spawn")||this.policies.has("before_spawn"),this.limits=
r}static{i(this,"Gates")}sessionPolicies(e){return e===void 0?this.policies:new Fe("`policies`",e)}openSession(e,n,r){this.
mains[e.index]=this.newMain(e,n,{...this.limits,...r}),this.guardSpawns||=n.has("before_spawn")}main(e){let n=this.mains[e.
index];if(n?.agent.actor.generation===e.generation)return n;let r=this.newMain(e,this.policies,this.limits);return n===void 0&&
(this.mains[e.index]=r),r}newMain(e,n,r){let s={agent:new ln(this.runtime,e,()=>s.prompt),policies:n,limits:r,prompt:""};
return s}agentOf(e){return e.agent??=new ln(this.runtime,e,()=>e.prompt()),e.agent}listFor(e){return e.isMain?this.main(
e.actor).policies:this.sub}close(){for(let e of this.mains)e?.agent.stop()}beforeSpawn(e,n,r){let o=e.run===0,s=o?this.main(
e).policies:this.sub;if(!s.has("before_spawn"))return;let a=o?this.main(e).agent:this.agentOf(e),u=s.ask("before_spawn",
a,{task:n.text,params:r});if(u===void 0)return;a.rule("before_spawn",u);let{answer:d,policy:l,text:c}=u;if(d==="inject"){
let f=on(n);f.contextHint=f.contextHint===void 0||f.contextHint===""?c:`${f.contextHint}

${c}`;return}throw new m("policy_blocked",c,{policy:l,...d==="finish"&&{report:c}})}start(e){let{index:n,generation:r,run:o}=e;
e.isAsked=!0,this.runtime.unasked(u=>u.noteHost(g(),n,r,o,!1));let s=this.agentOf(e),a=this.sub.ask("before_start",s,{});
if(a instanceof Promise){this.runtime.alone(a.then(u=>this.started(e,u)));return}this.decideStart(e,a)}started(e,n){let{
runtime:r}=this;if(r.isClosed||e.hostIsOver)return;let{index:o,generation:s,run:a}=e,u=(n===void 0||n.answer==="inject")&&
!this.isStopping(e);e.starting=()=>this.decideStart(e,n),!(r.act(d=>d.approved(g(),o,s,a,u))===0&&u)&&e.takeStart()?.()}decideStart(e,n){
let r=this.agentOf(e);n!==void 0&&r.rule("before_start",n),n?.answer==="inject"&&r.inject(n.text),this.runtime.onceKept(
()=>{this.runtime.isClosed||e.hostIsOver||((n===void 0||n.answer==="inject")&&!this.isStopping(e)?this.runtime.hosts.start(
e):this.runtime.hosts.end(e,Me()))})}isStopping(e){let{index:n,generation:r,run:o}=e;return!this.runtime.call(s=>s.isOpen(
n,r,o))||this.runtime.lookup.snapshot(n,r).cancelRequested}async beforeTurn(e,n){e.asksForTurn=!0;try{let r=await this.listFor(
e).ask("before_turn",e,{});if(this.runtime.check(),r!==void 0){let a=e.rule("before_turn",r);if(r.answer==="inject")e.inject(
r.text);else if(a)return Ds(r)}let o=await n();if(!o.go)return o;let s=e.takeInjected();return s.length===0?o:{...o,inject:[
...o.inject??[],...s]}}finally{e.asksForTurn=!1}}async mainTurn(e,n){let{runtime:r}=this;r.check();let o=this.main(e),{agent:s,
policies:a}=o,{index:u,generation:d}=e;if(s.asksForTurn)throw new m("invalid_argument","the last beforeTurn has not answ\
ered yet");if(n!==void 0&&(r.act(l=>l.endMain(g(),u,d)),o.prompt=n),(s.policing()?.turns??0)===0&&a.has("before_start")){
s.asksForTurn=!0;let l=await a.ask("before_start",s,{});if(s.asksForTurn=!1,r.check(),l!==void 0){if(s.rule("before_star\
t",l),l.answer!=="inject")return Ds(l);s.inject(l.text)}}return this.beforeTurn(s,()=>this.takeMainTurn(o))}async takeMainTurn(e){
let{agent:n,policies:r,limits:o}=e,{index:s,generation:a}=n.actor,{maxTurns:u=Tr,maxContextTokens:d=Tr,timeoutMs:l=Tr}=o,
c=this.runtime.call(S=>S.beginMainTurn(g(),s,a,u,d,l));if(c===-1)throw this.runtime.refusal();if(c<0){this.runtime.carryOut();
let S=v[-2-c]??"policy";return S!=="policy"?{go:!1,reason:S}:{go:!1,reason:S,message:`the context has ${n.policing()?.contextTokens}\
 tokens, the limit is ${d}`}}let{turn:f,injects:p,wrapUp:b}=qn(c),h=p?{inject:this.runtime.call(S=>S.takeInject())}:void 0;
if(this.runtime.carryOut(),b===void 0)return{go:!0,turn:f,...h};let w=await r.ask("on_timeout",n,{reason:"timeout"}),x=w===
void 0?void 0:this.timeoutAnswered(n,w);return{go:!0,turn:f,wrapUp:!0,reason:"timeout",...h,...x!==void 0&&{report:x}}}async beforeTool(e,n,r){
let{runtime:o}=this,{index:s,generation:a,run:u}=e.actor;if(o.check(),C("a tool's name",n)==="")throw y("a tool's name",
"a text that is not empty",n);if(!e.isMain){let f=o.write(n);if(!o.call(p=>p.mayUse(s,a,u,f)))return this.toolRefused(e)}
let d=this.listFor(e),l=d.has("before_tool")?await d.ask("before_tool",e,{tool:n,args:r}):void 0;if(o.check(),l===Se&&$s(
e),l!==void 0){if(e.rule("before_tool",l),l.answer==="block")return{allowed:!1,reason:l.text};if(l.answer==="finish")return{
allowed:!1,reason:l.text,finished:!0}}let c=o.write(n);return o.call(f=>f.beginTool(g(),s,a,u,c))?(o.carryOut(),l===void 0?
{allowed:!0}:{allowed:!0,inject:[l.text]}):this.toolRefused(e)}toolRefused(e){let{code:n,message:r}=this.runtime.refusal();
return n==="tool_blocked"&&e.rule("before_tool",{answer:"block",policy:"tools",text:r,reason:"policy"}),{allowed:!1,reason:r}}async afterTool(e,n,r){
let{runtime:o}=this,{index:s,generation:a,run:u}=e.actor;if(o.check(),C("a tool's name",n)==="")throw y("a tool's name",
"a text that is not empty",n);let l=!e.isMain&&o.call(b=>b.endTool(g(),s,a,u))?o.call(b=>b.takeInject()):[];o.carryOut();
let c=this.listFor(e),f=c.has("after_tool")?await c.ask("after_tool",e,{tool:n,result:r}):void 0;f!==void 0&&(o.check(),
e.rule("after_tool",f),f.answer==="inject"&&l.push(f.text));let p=l.length===0?{}:{inject:l};return f?.answer==="block"?
{withheld:!0,reason:f.text,...p}:f?.answer==="finish"?{withheld:!1,finished:!0,...p}:{withheld:!1,...p}}async beforeEnd(e,n){
let{runtime:r}=this;r.check(),C("`output`",n);let o=this.listFor(e),s=o.has("before_end")?await o.ask("before_end",e,{output:n}):
void 0;if(r.check(),s===Se&&$s(e),s!==void 0&&(e.rule("before_end",s),s.answer==="inject"||s.answer==="force_turn"))return{
end:!1,inject:[s.text]};let{index:a,generation:u}=e.actor;return e.isMain&&r.act(d=>d.endMain(g(),a,u)),s===void 0?{end:!0,
output:n}:s.answer==="finish"?{end:!0,output:s.text}:{end:!0,output:"",reason:s.text}}timedOut(e,n){if(!this.sub.has("on\
_timeout"))return;let r=this.agentOf(e),o=this.sub.ask("on_timeout",r,{reason:n}),s=i(a=>{a!==void 0&&this.timeoutAnswered(
r,{...a,reason:n})},"answered");o instanceof Promise?this.runtime.alone(o.then(s)):s(o)}timeoutAnswered(e,n){if(e.rule("\
on_timeout",n),n.answer==="finish")return n.text;e.inject(n.text)}},Tr=Number.POSITIVE_INFINITY;function $s({actor:t}){if(t.
isLeft===!0)throw be("asks its policies")}i($s,"checkIsLeft");function Ds({answer:t,text:e,reason:n}){return t==="finish"?
{go:!1,reason:n,report:e}:{go:!1,reason:n,message:e}}i(Ds,"refusedTurn");function _u(t){return R("a notice",()=>{let{origin:e,text:n,deliveryId:r}=Ie("a notice",t);return{channel:"system",senderId:"\
subagent",chatId:`${e.channel}:${e.chatId}`,content:n,deliveryId:r}})}i(_u,"toBusMessage");function Fs(t,e,n){return({inbox:r})=>{
let o=r.lease();o.length!==0&&n(()=>{for(let s of o)i(async()=>{await t.publish(_u(s)),r.ack(s.deliveryId)},"taken")().catch(
e)})}}i(Fs,"publisher");function Ls(t){let e=typeof t=="object"&&t!==null?t.publish:void 0;if(typeof e!="function")throw y(
"`bus`","an object with a function `publish`",t);return{publish:i(n=>e.call(t,n),"publish")}}i(Ls,"busOf");var Rr="I'll notify you when it completes.";function rt(t,e=!0){return R("a task",()=>{let{label:n,taskId:r}=Ie("a task",
t);return`Subagent [${j(n,pe)}] started (id: ${j(r)}).${e?` ${Rr}`:""}`})}i(rt,"startedText");function Pu(t){let{versions:e}=globalThis.process??{};return e?.node!==void 0&&e.bun===void 0&&e.deno===void 0&&!("_enab\
le"in t.prototype)}i(Pu,"isCheap");var ot=class{static{i(this,"Following")}constructor(e){let n=e===!1?void 0:Nu();n!==void 0&&
(e===!0||Pu(n))&&(this.storage=new n)}run(e,n,r){this.storage===void 0?n(r):this.storage.run(e,n,r)}get present(){let e=this.
storage?.getStore();return e===void 0||e.hostIsOver?void 0:e}};function Nu(){try{return globalThis.process?.getBuiltinModule?.(
"async_hooks")?.AsyncLocalStorage}catch{return}}i(Nu,"storageClass");function We(t){return typeof WeakRef>"u"?{deref:i(()=>t,"deref")}:new WeakRef(t)}i(We,"weakly");var Ue=class{static{i(this,
"Collected")}constructor(e){this.registry=typeof FinalizationRegistry>"u"?void 0:new FinalizationRegistry(e)}watch(e,n){
this.registry?.register(e,n,e)}unwatch(e){this.registry?.unregister(e)}};var st=class{static{i(this,"Door")}constructor(e){this.manager=e}get runtime(){return this.manager}shut(){this.manager=void 0}},
cn=[],Ks=[],vr,Ae;function Us(t,e,n){let r=Ks.pop()??cn.length;return cn[r]=We(e),vr??=new Ue(({host:o,alarm:s})=>{s.stop(),
Ws(o)}),vr.watch(t,{host:r,alarm:n}),r}i(Us,"attach");function Er(t){vr?.unwatch(t),t.door.shut(),Ws(t.host)}i(Er,"relea\
se");function Ws(t){cn[t]!==void 0&&(cn[t]=void 0,Ks.push(t))}i(Ws,"detach");function z(t){let e=Ae;return Ae=t,Pt(!0),e}
i(z,"enter");function Q(t){Ae=t,t===void 0&&Pt(!1)}i(Q,"leave");function Bs(){return Ae!==void 0}i(Bs,"isInside");function _(t){
return Ae!==void 0&&Ae.host===t?Ae:cn[t]?.deref()?.runtime}i(_,"find");function Om(t,e,n,r,o){_(t)?.runs.startRun(e,n,r,
o)}i(Om,"startRun");function Tm(t,e,n,r,o){_(t)?.runs.runRetried(e,n,r,o)}i(Tm,"runRetried");function Rm(t,e,n,r,o){_(t)?.
runs.abortRun(e,n,r,o)}i(Rm,"abortRun");function vm(t,e,n,r){return _(t)?.runs.turnReady(e,n,r)===!0}i(vm,"turnReady");function Em(t,e,n){
let r=_(t);r?.sessionData.taskForgotten(e,n),r?.contexts.taskGone(e,n),r?.signals.taskGone(e,n)}i(Em,"taskForgotten");function jm(t,e,n){
let r=_(t);r?.contexts.taskGone(e,n),r?.signals.taskGone(e,n)}i(jm,"taskClosed");function Im(t,e,n){_(t)?.wakes.mark(e)}
i(Im,"wakeSession");function _m(t,e,n,r,o){_(t)?.runs.policiesDue(e,n,r,o)}i(_m,"policiesDue");function Pm(t){_(t)?.startsStopped()}
i(Pm,"startsStopped");function Nm(t){_(t)?.stalled()}i(Nm,"stalled");function Cm(t,e){_(t)?.wakeAt(e)}i(Cm,"wakeAt");function Mm(t,e,n,r,o,s,a){
_(t)?.runs.askDone(e,n,r,o,s,a)}i(Mm,"askDone");function $m(t,e,n,r){_(t)?.waits.done(e,n,r)}i($m,"waitDone");function Dm(t,e){
return _(t)?.runs.runEnded(e)===!0}i(Dm,"runEnded");function Fm(t){_(t)?.runs.allTold()}i(Fm,"allTold");function Lm(t,e,n,r){
_(t)?.listeners.facts(e,n,r)}i(Lm,"facts");function Km(t,e){let n=_(t);return n===void 0||n.consumerGate(e)}i(Km,"consum\
erGate");function Um(t,e){return _(t)?.makeTool(e)}i(Um,"makeTool");var it=class{constructor(e,n){this.listeners=[];this.reader=void 0;this.runtime=e,this.scratch=n}static{i(this,"Listener\
s")}get listening(){return this.reader!==void 0}subscribe(e,n){this.runtime.check();let r=this.runtime.journal?.unheard??
this.runtime.call(s=>s.factCount());this.listeners.length===0&&(this.runtime.journal?.gather(!1),this.reader=n(this.runtime,
this.scratch,r),this.runtime.runs.keepOutputs(this.runtime.journal===void 0),this.runtime.call(s=>s.listen(!0)));let o={
listener:e,context:Zt(),since:r,isOver:!1};return this.listeners=[...this.listeners,o],()=>{o.isOver=!0,this.listeners=this.
listeners.filter(s=>s!==o),this.listeners.length===0&&!this.runtime.isClosed&&(this.reader=void 0,this.runtime.runs.keepOutputs(
!1),this.runtime.journal===void 0?this.runtime.call(s=>s.listen(!1)):this.runtime.journal.gather(!0))}}facts(e,n,r){let{
journal:o}=this.runtime;if(o===void 0)this.hand(this.reader?.read(e,n,r));else if(n===0)o.expect();else{let s=o.take(e,n);
o.isSync||this.tell(s)}}tell(e){this.hand(this.reader?.readKept(e))}hand(e=[]){let[n,r]=this.listeners;if(n!==void 0)if(r===
void 0)Gs(n,()=>this.tellAll(n,e));else for(let o of e)this.tellEach(o)}tellAll(e,n){for(let r of n)this.tellOne(e,r)}tellEach(e){
for(let n of this.listeners)Gs(n,()=>this.tellOne(n,e))}tellOne(e,n){!e.isOver&&n.seq>e.since&&this.runtime.tell(e.listener,
n)}clear(){for(let e of this.listeners)e.isOver=!0;this.listeners=[],this.reader=void 0}};function Gs({context:t},e){t===
void 0?e():t.runInAsyncScope(e)}i(Gs,"within");function at({ahead:t}){return Math.floor(g())+t}i(at,"instantOf");var Cu=200,Mu=["disposed","internal","store_failed"],ut=class{constructor(e){this.listeners=new Set;this.told=new WeakSet;
this.runtime=e}static{i(this,"Refusals")}listen(e){let n={listener:Ne(e)};return this.listeners.add(n),()=>{this.listeners.
delete(n)}}tell(e,n,r,o){let{runtime:s}=this;if(this.listeners.size===0||s.isClosed||!(o instanceof m)||Mu.includes(o.code)||
this.told.has(o))return;this.told.add(o);let a=typeof r=="function"?r():r,{index:u,generation:d,run:l}=n,c={seq:s.call(f=>f.
factCount()),at:at(s),operation:e,code:o.code,message:o.message,by:l===0?null:s.lookup.taskId(u,d),sessionKey:s.lookup.sessionKey(
u,d),label:a===null?null:kn(a,Cu)};for(let{listener:f}of this.listeners)s.tell(f,c)}clear(){this.listeners.clear()}};function Js({error:t,hostStatus:e,hostTaskId:n,artifactsJson:r,valueJson:o}){if(!(t===void 0&&e===void 0&&n===void 0&&r===
void 0&&o===void 0))return[t,e,n,r,o]}i(Js,"besideOutput");var dt=class{constructor(e,n){this.view=new Uint8Array(0);this.whole=new Uint8Array(0);this.numbers=new Float64Array(0);
this.encoder=new TextEncoder;this.decoder=new TextDecoder("utf-8",{ignoreBOM:!0});this.lengths={output:0,beside:0};this.
core=e,this.memory=n}static{i(this,"Scratch")}write(e,n=0){let r=n+e.length*3;return(this.view.length<r||this.view.length===
0)&&this.grow(r),this.encoder.encodeInto(e,n===0?this.view:this.view.subarray(n)).written}writeLeft(e){let{lengths:n}=this,
r=Js(e);return r!==void 0&&this.makeRoom(e.output,r),n.output=this.write(e.output),n.beside=r===void 0?0:this.writeBeside(
r,n.output),n}makeRoom(e,n){let r=n.reduce((o,s)=>o+4+3*(s?.length??0),3*e.length);this.view.length<r&&this.grow(r)}writeBeside(e,n){
let r=n;for(let o of e){let s=o===void 0?-1:this.write(o,r+4);for(let a=0;a<4;a+=1)this.view[r+a]=s>>>8*a;r+=4+Math.max(
0,s)}return r-n}writeBytes(e){return(this.view.length<e.length||this.view.length===0)&&this.grow(e.length),this.view.set(
e),e.length}renew(){this.view=new Uint8Array(0)}read(e,n){return n===0?"":this.decoder.decode(new Uint8Array(this.memory.
buffer,e,n))}memoryView(){return this.whole.length===0&&(this.whole=new Uint8Array(this.memory.buffer)),this.whole}numbersView(){
return this.numbers.length===0&&(this.numbers=new Float64Array(this.memory.buffer)),this.numbers}copyBehind(e,n,r){let o=new Uint8Array(
e+r);return o.set(new Uint8Array(this.memory.buffer,n,r),e),o}get memoryBytes(){return this.memory.buffer.byteLength}letGo(){
this.view=new Uint8Array(0),this.whole=new Uint8Array(0),this.numbers=new Float64Array(0),this.core=void 0,this.memory={
buffer:new ArrayBuffer(0)}}grow(e){let n=Math.max(e,4096),r=this.core.scratch(n);this.view=new Uint8Array(this.memory.buffer,
r,n)}};var Oe={index:0,generation:0,run:0},Vs=4294967296;function G(t){return t>>>0}i(G,"indexOf");function jr(t){return Math.floor(
t/Vs)}i(jr,"generationOf");function J(t){return{index:G(t),generation:jr(t)}}i(J,"keyOf");function Be({index:t,generation:e}){
return e*Vs+t}i(Be,"packed");var _r=class{static{i(this,"Followed")}#e;#n=new Set;constructor(e){this.#e=e}#t=i(()=>{let e=[...this.#n];for(let n of e)
this.leave(n);for(let n of e)n.deref()?.fire()},"#fire");join(e){this.#n.add(e),this.#n.size===1&&this.#e.addEventListener(
"abort",this.#t,{once:!0})}leave(e){!this.#n.delete(e)||this.#n.size>0||(lt.get(this.#e)===this&&lt.delete(this.#e),this.#e.
removeEventListener("abort",this.#t))}},lt=new WeakMap,Ir;function $u(t){t()}i($u,"call");function Hs(t,e){let n=lt.get(
t);n===void 0&&(n=new _r(t),lt.set(t,n));let r=n;return r.join(e),()=>r.leave(e)}i(Hs,"join");function fn(t,e){let n={fire:e};
return Hs(t,{deref:i(()=>n,"deref")})}i(fn,"follow");var ct=class{static{i(this,"Signals")}#e=new Map;#n=new Map;follow(e,n){
let r={fire:n},o=Hs(e,We(r)),s=i(()=>{this.#e.delete(s),Ir?.unwatch(r),o()},"end");return this.#e.set(s,r),Ir??=new Ue($u),
Ir.watch(r,o),s}keepIdle(e,n){let{runtime:r,index:o,generation:s}=e,a=this.follow(n,()=>Ys(e));e.unfollow?.(),e.unfollow=
a,r.call(d=>d.tellForgotten()),this.#n.set(o,e);let u=r.call(d=>d.status(o,s));(u<0||ne[u]==="closed")&&this.taskGone(o,
s)}taskGone(e,n){if(this.#n.size===0)return;let r=this.#n.get(e);r?.generation===n&&(this.#n.delete(e),r.unfollow?.())}clear(){
for(let e of[...this.#e.keys()])e();for(let e of this.#n.values())e.unfollow?.();this.#n.clear()}};function qs(t,e){let n=fn(
e,()=>{t.index===0?t.abortedEarly=!0:Pn(t.runtime,e)||Ys(t)});t.unfollow=()=>{t.unfollow=void 0,n()}}i(qs,"followSignal");
function Ys(t){let{runtime:e,call:n}=t;if(!e.isClosed)try{n!==void 0?e.waits.abortCall(n,t).catch(()=>{}):e.waits.cancel(
Oe,t.index,t.generation,"signal_aborted").catch(()=>{})}catch{}}i(Ys,"cancelActive");function Qs(t,e,n,r){try{return Du(t,e,n,r)}catch(o){throw t.refusals.tell("spawn",e,n.staged?.label??n.text??null,o),o}}
i(Qs,"spawn");function Du(t,e,n,r){t.check();let o=n.signal!==void 0||e.run!==0;o&&zs(t,e,n);let s=Ju(n,n.renamed?Gu(n.text,
r):r);t.seeded||qu(t),t.functions.checkConsumerSpawn!==void 0&&Lu(t,s),t.gates.guardSpawns&&(t.gates.beforeSpawn(e,n,s),
t.check()),o&&zs(t,e,n),t.functions.spawnSubAgent===void 0&&Vu(t,n);let a=new Y(t,s,n);return n.watch!==void 0&&(a.watch=
n.watch),n.call!==void 0&&(a.call=n.call),n.signal!==void 0&&Ku(a,n.signal),n.staged!==void 0&&Uu(t,a,n.staged),Fu(t,e,n,
a)}i(Du,"begin");function Fu(t,e,n,r){let{staged:o,text:s}=n,a=s===void 0?0:t.write(s),u=(n.background?1:0)|(s===void 0?
2:0)|(o===void 0?0:4)|(n.manual?8:0)|(o?.idempotencyKey===void 0?0:64)|n.answers,d=z(t),l;try{l=t.core.begin(g(),e.index,
e.generation,e.run,u,a,n.tokens,n.cost,n.turns)}catch(b){throw t.poison(b)}finally{Q(d)}if(l===-1)throw r.unfollow?.(),t.
refusal();let c=l<0?Bu(t,r,n,J(-2-l)):Wu(t,r,n,l),f=l>=0&&o?.disallowedTools!==void 0?$n(t,r.index):void 0,p=t.contexts.
enter(l<0?void 0:r);return t.carryOut(),t.contexts.leave(p),t.expectSound(),t.hosts.keepAwake(),f!==void 0&&t.denials.report(
t,f,"disallowedTools"),c}i(Fu,"admit");function Lu(t,e){let n=Pr(t,e);if(n!==!0)throw new m("spawn_denied",n||"the host \
refused this spawn",{reason:n||null});t.check()}i(Lu,"expectAllowed");function Ku(t,e){if(qs(t,e),t.abortedEarly)throw Xs(
e)}i(Ku,"followUnfired");function Uu(t,e,n){if(!t.call(r=>r.stage(n)))throw e.unfollow?.(),t.refusal()}i(Uu,"stage");function Wu(t,e,{
text:n,manual:r,schema:o,signal:s},a){return e.index=G(a),e.generation=jr(a),o!==void 0&&t.sessionData.check(e.index,e.generation,
o),n===void 0?s!==void 0&&t.signals.keepIdle(e,s):r||(e.run=1,t.contexts.keep(e),t.runs.keep(e)),e}i(Wu,"admitted");function Bu(t,e,n,r){
e.unfollow?.(),n.repeated=!0;let o=Hu(t,r),{schema:s}=n;return s!==void 0&&t.journal?.goesOn===!0&&!o.hostOpen&&o.check===
void 0&&t.sessionData.check(r.index,r.generation,s),o}i(Bu,"repeated");function zs(t,{index:e,generation:n,run:r},{signal:o,
background:s}){if(o?.aborted===!0)throw Xs(o);r!==0&&t.ask(a=>a.mayStart(e,n,r,s))}i(zs,"expectNotStopped");function Xs(t){
return new m("aborted","the signal of this spawn has fired already, so nothing was started",{},{cause:t.reason})}i(Xs,"f\
iredAlready");function Gu(t,e){return R("the options of spawn",()=>({...e,instructions:t}))}i(Gu,"renamedParams");function Ju({
staged:t,text:e},n){return t!==void 0||e?.includes("�")===!0?se(n):n}i(Ju,"wellFormedParams");function Vu({functions:t},{
text:e,manual:n,background:r}){if(e===void 0||n||r&&t.spawnBackgroundSubAgent!==void 0)return;let o="spawnSubAgent";throw new m(
"invalid_argument","the manager was made without `spawnSubAgent`, so nothing can run a sub-agent",{argument:o})}i(Vu,"ex\
pectHost");function Hu(t,{index:e,generation:n}){let r=t.runs.activeOf(e,n);if(r!==void 0)return r;let o=new Y(t,void 0);
return o.index=e,o.generation=n,o.run=t.call(s=>s.lastRun(e,n)),o}i(Hu,"lastRunOf");function Pr(t,e){let n=t.functions.checkConsumerSpawn;
if(n===void 0)return!0;try{let r=n(e);if(typeof r!="object"||r===null)return`checkConsumerSpawn must return { allowed },\
 it returned ${k(r)}`;let{allowed:o,reason:s}=r;if(o===!0&&Object.getPrototypeOf(r)===Object.prototype&&!("allowed"in Object.
prototype))return!0;let[a,u]=[ue(r,"allowed",o),ue(r,"reason",s)];return a===!0?!0:a===!1?typeof u=="string"&&u!==""?u:!1:
typeof r.then=="function"?(r.then(void 0,()=>{}),"checkConsumerSpawn must answer at once, it returned a promise"):`check\
ConsumerSpawn must return { allowed: boolean }, allowed is ${k(a)}`}catch(r){return t.report(r),`checkConsumerSpawn fail\
ed: ${A(r)}`}}i(Pr,"consumerGate");function qu(t){t.order(e=>e.seed(g())),t.seeded=!0}i(qu,"seed");var Yu=32n,ni=i(t=>BigInt.asUintN(64,t),"low64"),Zs=i((t,e)=>ni(t<<e|t>>64n-e),"rotated");function ei(t,e,n){let r=ni(Zs(
t,56n)+e)^n;return[r,Zs(e,3n)^r]}i(ei,"mix");function ti(t,e,n){let[r=0n,o=0n,s=0n]=t,a=BigInt(n)<<32n|BigInt(e);for(let l=3;l<
t.length;l+=2)t[l]===a&&(s=t[l+1]);let[u,d]=[s,a];for(let l=0n;l<Yu;l+=1n)[u,d]=ei(u,d,o),[r,o]=ei(r,o,l);return`sub_${[
u,d].map(l=>l.toString(16).padStart(16,"0")).join("")}`}i(ti,"taskIdOf");function pn(t){let{artifacts:e,value:n,metadata:r}=t;return{...t,artifacts:e===null?[]:JSON.parse(e),value:n===null?null:
JSON.parse(n),metadata:$o(r)}}i(pn,"parsed");var ft=class{constructor(e){this.sessions=new Map;this.runtime=e}static{i(this,"Lookup")}resolve(e,n){let r=mo(n);if(this.
runtime.check(),typeof r!="string")throw y("a target","an id or a handle",r);let o=this.runtime.write(Kt(r)?r.slice(0,160):
""),{index:s,generation:a,run:u}=e,d=this.runtime.call(l=>l.find(s,a,u,o));if(d<0){let l=this.runtime.refusal();if(l.code===
"ambiguous_nickname")throw l;let f=r!==n&&l.code==="unknown_task"?"; a handle must be of this manager, and not of anothe\
r one or of another copy of the package":"",p=new m(l.code,`${l.message}: ${k(r)}${f}`,{...l.details,taskId:r});throw wn(
p,`${Ye(l)}: ${k(r)}`)}return J(d)}nameOf(e,{nickname:n,taskId:r}){if(n===null)return r;let o=this.runtime.write(n),s=this.
runtime.call(d=>d.find(e.index,e.generation,e.run,o));if(s<0)return r;let{index:a,generation:u}=J(s);return this.taskId(
a,u)===r?n:r}taskId(e,n){let{idKey:r}=this.runtime;return r===void 0?this.runtime.call(o=>o.taskId(e,n)):ti(r,e,n)}snapshot(e,n){
let r=this.runtime.call(o=>o.get(e,n,g()));if(r===void 0)throw this.runtime.refusal();return pn(r)}seen(e){let{index:n,generation:r}=this.
resolve(Oe,e);return this.snapshot(n,r)}about(e,n){let r=this.runtime.call(u=>u.get(e,n,g()));if(r===void 0)return;let{label:o,
parentId:s,metadata:a}=pn({...r,artifacts:null,value:null});return{label:o,parentId:s,metadata:a,sessionKey:this.sessionKey(
e,n)}}label(e,n){return this.runtime.call(r=>r.label(e,n))??null}sessionKey(e,n){return this.runtime.call(r=>r.sessionKey(
e,n))??null}brief(e,n){let r=this.runtime.call(f=>f.brief(e,n));if(r===void 0)throw this.runtime.refusal();let[o,s,a="",
u,d=_n,l,c]=r;return{depth:o,label:s,contextHint:a,systemPrompt:u,profile:d,modelId:l,sourceAgentId:c}}openSession(e){this.
runtime.check();let n=this.runtime.write(e),r=this.runtime.call(s=>s.openSession(g(),n));if(r<0)throw this.runtime.refusal();
this.runtime.carryOut();let o={...J(r),run:0};return this.sessions.set(o.index,o.generation),o}eventId(e,n){return this.
sessions.get(e)===n?null:this.runtime.call(r=>r.eventId(e,n))??null}};var zu=100,ri=["usage","status","output","value","artifacts","taskId","error"],oi=["tokens","inputTokens","outputTokens",
"cacheReadTokens","cacheWriteTokens","reasoningTokens","costUsd","turns"];function Qu(t){return ri.includes(t)?void 0:lo(
t,ri)}i(Qu,"nearlyInResult");var pt=class{constructor(e){this.seen=new Set;this.report=e}static{i(this,"UnknownNames")}inUsage(e){
this.once(`usage.${e}`,n=>ie(`the \`usage\` of a result has no \`${e}\`, so it is not booked`,e,oi,{argument:n},`; it ha\
s ${oi.join(", ")}`))}inResult(e){let n=Qu(e);if(n===void 0)return;let r=`a result has no \`${e}\`, so it is not read; di\
d you mean \`${n}\`?`;this.once(e,o=>new m("invalid_argument",r,{argument:o,suggestion:n}))}inReport(e){let n=`\`${e}\` i\
n a report of a main agent must be a number of at least 0: nothing was booked for it`;this.once(`report.${e}`,()=>new m(
"invalid_argument",n,{argument:e}))}noUsage(e){this.usageIs(`must be { tokens, costUsd, turns }, got ${k(e)}`)}unreadableUsage(e){
this.usageIs(`can't be read: ${A(e)}`,{cause:e})}kindsInUsage(e){for(let n of e)this.wrongKind(`usage.${n}`,n,"the `usag\
e` of a result")}kindsInReport(e){for(let n of e)this.wrongKind(`report.${n}`,n,"a report")}usageIs(e,n){let r=`the \`usa\
ge\` of a result ${e}: what was set aside for the run was booked, and is marked invalid`;this.once("usage",o=>new m("inv\
alid_argument",r,{argument:o},n))}wrongKind(e,n,r){let o=`\`${n}\` in ${r} must be a number of at least 0: \`tokens\` was \
booked without it`;this.once(e,()=>new m("invalid_argument",o,{argument:n}))}once(e,n){this.seen.has(e)||this.seen.size>=
zu||(this.seen.add(e),this.report(n(e)))}};var si=64,mt=class{constructor(e){this.open=new Map;this.named=new Map;this.early=new Map;this.ended=new Map;this.lost=new Map;
this.sweepAt=si;this.runtime=e}static{i(this,"RemoteRuns")}start(e,n){this.sweep(),this.list(e);let r;try{r=n(e.params(),
e.handedRun())}catch(s){throw this.unlist(e),s}let o=new Promise(s=>s(r));if(!this.isListed(e)){o.catch(()=>{});return}this.
runtime.act(s=>s.startedElsewhere(g(),e.index,e.generation,e.run)),e.expectName(),this.runtime.alone(o.then(s=>this.started(
e,s),s=>this.end(e,Xn(A(s),s))))}started(e,n){let r=Xu(n);if(typeof r!="string"||r===""){this.end(e,mr(`spawnBackgroundS\
ubAgent must resolve to { taskId }, it resolved to ${k(n)}`));return}if(e.hostTaskId=r,this.isListed(e)&&this.named.set(
r,(this.named.get(r)??new Set).add(e)),e.named?.resolve(),this.runtime.isClosed)return;let o=this.runtime.write(r);this.
runtime.act(a=>a.nameElsewhere(g(),e.index,e.generation,e.run,o));let s=this.early.get(r)??this.resultBefore(e,r);this.early.
delete(r),s!==void 0?this.end(e,this.runtime.hosts.read(s)):this.refuseEarly()}resultBefore(e,n){let r=this.lost.get(Be(
e));return r?.hostTaskId===n&&r.run<e.run?r.result:void 0}refuseEarly(){if(this.early.size===0||this.isUnnamed())return;
let e=[...this.early.keys()];this.early.clear();for(let n of e)this.runtime.report(this.unknown(n))}isUnnamed(){return[...this.
open.values()].some(({hostTaskId:e})=>e===void 0)}report(e,n){if(typeof e!="string"||e==="")throw y("the id","a task id \
or the host's own id",e);if(typeof n!="object"||n===null)throw y("the result","{ output, status, usage }",n);let r=this.
openBy(e);if(r.length>1)throw ii(e);let[o]=r;if(o!==void 0){this.end(o,this.runtime.hosts.read(n));return}let s=this.endedBy(
e)??this.lostBy(e,n);if(s!==void 0){let{index:a,generation:u,run:d}=s,l=Object.assign(new Y(this.runtime,void 0),{index:a,
generation:u,run:d});this.runtime.hosts.end(l,this.runtime.hosts.read(n));return}if(!this.isUnnamed())throw this.unknown(
e);this.early.set(e,n)}openBy(e){let n=[...this.named.get(e)??[]],r=this.open.get(this.placeOf(e));return r===void 0||n.
includes(r)?n:[...n,r]}endedBy(e){let n=this.ended.get(e)??this.ended.get(this.placeOf(e));return n!==void 0&&this.isKept(
n)?n:void 0}lostBy(e,n){if(this.runtime.journal?.goesOn!==!0)return;let{lookup:r}=this.runtime,o=this.find(e);if(o<0){if(this.
runtime.refusal().code==="ambiguous_nickname")throw ii(e);return}let s=J(o),{taskId:a,hostTaskId:u,nickname:d,background:l}=r.
snapshot(s.index,s.generation);if(e===a?!l:e===d&&e!==u)return;let c=this.runtime.call(h=>h.lastRun(s.index,s.generation)),
p=this.runtime.call(h=>h.hasRun(s.index,s.generation,c))?c-1:c;if(p===0)return;let b={...s,run:p,hostTaskId:u,result:n};
return this.lost.set(o,b),b}find(e){let n=this.runtime.write(e.slice(0,160));return this.runtime.call(r=>r.find(0,0,0,n))}placeOf(e){
let n=this.find(e);if(n<0)return n;let{index:r,generation:o}=J(n);return this.runtime.lookup.taskId(r,o)===e?n:-2}isKept({
index:e,generation:n}){return this.runtime.call(r=>r.lastRun(e,n))>0}unknown(e){if(this.placeOf(e)===-1){let n=this.runtime.
refusal();if(n.code==="forgotten")return n}return new m("unknown_task",`no background sub-agent goes by ${k(e)}`,{id:e})}list(e){
let n=Be(e),r=this.open.get(n);r!==void 0&&this.unlist(r)&&this.keepEnded(r),this.open.set(n,e)}isListed(e){return this.
open.get(Be(e))===e}unlist(e){if(!this.isListed(e))return!1;this.open.delete(Be(e));let{hostTaskId:n}=e;if(n!==void 0){let r=this.
named.get(n);r?.delete(e),r?.size===0&&this.named.delete(n)}return!0}keepEnded({index:e,generation:n,run:r,hostTaskId:o}){
let s={index:e,generation:n,run:r};this.ended.set(Be(s),s),o!==void 0&&this.ended.set(o,s)}clear(){this.open.clear(),this.
named.clear(),this.early.clear(),this.ended.clear(),this.lost.clear()}sweep(){if(!(this.open.size+this.ended.size<this.sweepAt)){
for(let e of this.open.values())this.runtime.call(n=>n.hasRun(e.index,e.generation,e.run))||(this.unlist(e),this.keepEnded(
e));for(let[e,n]of this.ended)this.isKept(n)||this.ended.delete(e);for(let[e,n]of this.lost)this.isKept(n)||this.lost.delete(
e);this.sweepAt=Math.max(si,(this.open.size+this.ended.size)*2)}}end(e,n){if(!this.unlist(e))return;this.keepEnded(e),this.
refuseEarly();let r=this.runtime.isClosed?void 0:e.check,o={...n,hostTaskId:n.hostTaskId??e.hostTaskId};r===void 0?this.
runtime.hosts.end(e,o):this.runtime.hosts.endOnceChecked(e,o,r)}};function ii(t){return new m("invalid_argument",`severa\
l sub-agents go by the host id ${k(t)}: report by task id`,{id:t})}i(ii,"severalBy");function Xu(t){try{return t?.taskId}catch{
return}}i(Xu,"hostId");var ht=class{constructor(e,n,r){this.openHosts=0;this.arrived=[];this.endArrived=i(()=>{let{arrived:e}=this;e.length!==0&&
(this.arrived=[],this.endAll(e))},"endArrived");this.runtime=e,this.scratch=n,this.alarm=r,this.elsewhere=new mt(e),this.
unknownStatuses=new zn(o=>{e.isClosed||e.report(o)})}static{i(this,"HostCalls")}start(e){if(e.isAsked===!0){let{index:n,
generation:r,run:o}=e;this.runtime.unasked(s=>s.noteHost(g(),n,r,o,!0))}try{let{spawnSubAgent:n,spawnBackgroundSubAgent:r}=this.
runtime.functions;if(r!==void 0&&e.background){this.elsewhere.start(e,r);return}if(n===void 0)throw new Error("no spawnS\
ubAgent was given to the manager");e.hostOpen=!0,this.openHosts+=1,this.alarm.keepAlive(!0);let o=n(e.params(),e.handedRun());
(Zu(o)?o:new Promise(a=>a(o))).then(a=>this.hostReturned(e,a),a=>this.arrive(e,ai(a)))}catch(n){this.end(e,ai(n))}}end(e,n){
e.hostIsOver||(e.returned=n,this.endAll([e]))}arrive(e,n){e.returned=n,this.arrived.push(e)===1&&Promise.resolve().then(
this.endArrived)}endAll(e){let n=g(),r=z(this.runtime);try{for(let o of e)this.take(n,o)}catch(o){this.runtime.poison(o)}finally{
Q(r)}for(let{onHostOver:o}of e)if(o!==void 0)for(let s of o)s();this.runtime.carryOut(),this.keepAwake()}take(e,n){n.hostIsOver||
(n.hostIsOver=!0,this.runtime.runs.returned(n),this.release(n),!this.runtime.isClosed&&this.tell(e,n.index,n.generation,
n.run,this.bounded(n.returned)))}endManual(e,n,r){if(this.runtime.check(),!this.runtime.call(()=>this.tell(g(),e,n,0,r)))
throw this.runtime.refusal();this.runtime.runs.manualEnded(e,r),this.runtime.carryOut(),this.runtime.expectSound()}tell(e,n,r,o,s){
let{output:a,beside:u}=this.scratch.writeLeft(s),{how:d,tokens:l,cost:c,turns:f,durationMs:p}=s;return this.runtime.core.
hostReturned(e,n,r,o,d,a,u,l,c,f,p)}bounded(e){let{output:n}=e;return n.length<=N?e:{...e,output:n.slice(0,Math.max(N,K(
this.runtime,"maxResultBytes")+1))}}read(e){return ms(e,this.unknownStatuses,this.runtime.unknownNames)}hostReturned(e,n){
let r=this.read(n),o=this.runtime.isClosed?void 0:e.check;o===void 0?this.arrive(e,r):this.whenChecked(r,o,s=>this.arrive(
e,s))}endOnceChecked(e,n,r){this.whenChecked(n,r,o=>this.end(e,o))}whenChecked(e,n,r){let o=gs(e,n,K(this.runtime,"maxRe\
sultBytes"));o instanceof Promise?this.runtime.alone(o.then(r)):r(o)}goOnWithout(e){e.hostOpen&&(this.release(e),this.keepAwake())}release(e){
e.hostOpen&&(e.hostOpen=!1,this.openHosts-=1)}keepAwake(){if(this.openHosts>0||this.runtime.isClosed)return;let e=this.runtime.
unasked(n=>n.hasQueued())===!0;this.runtime.isClosed||(this.runtime.keepAlive.hasQueued(e),this.alarm.keepAlive(e||this.
runtime.waits.areOpen||this.runtime.readers.areWaiting))}};function ai(t){return Ve(t),Xn(A(t),t)}i(ai,"thrown");function Zu(t){
return t instanceof Promise&&t.constructor===Promise&&t.then===Promise.prototype.then}i(Zu,"isPlainPromise");var gt=class{constructor(e,n){this.count=0;this.queued=!1;this.alarm=e,this.manager=n}static{i(this,"KeepAlive")}begin(){
this.count+=1,this.count===1&&this.keep()}end(){this.count-=1,this.count===0&&this.keep()}hasQueued(e){this.queued!==e&&
(this.queued=e,this.keep())}clear(){this.count=0,this.queued=!1,this.keep()}keep(){this.alarm.keeps=this.count>0||this.queued?
this.manager:void 0}};var bt=class{constructor(e){this.open=new Map;this.places=new WeakMap;this.runtime=e}static{i(this,"Pins")}pinAll(e){let n=K(
this.runtime,"retain")<e.length;return e.map(({index:r,generation:o})=>this.pin(r,o,n))}pin(e,n,r){let o=this.runtime.call(
u=>u.lastRun(e,n)),s={index:e,generation:n,run:o,taskId:this.runtime.lookup.taskId(e,n)};if(!this.runtime.call(u=>u.isOpen(
e,n,o)))return s.ended=this.read(s),s;r&&(s.begun=this.read(s));let a=this.open.get(e);return a===void 0?this.open.set(e,
[s]):a.push(s),s}has(e){return this.open.has(e)}ended(e,n,r,o){if(this.open.size===0)return;let s=this.open.get(e);if(s!==
void 0)for(let a of s)a.run===r&&a.generation===n&&(a.ended=this.asEnded(a,o))}retried(e,n,r){for(let o of this.open.get(
e)??[])o.run===r&&o.generation===n&&(o.run+=1)}asEnded(e,n){let r=this.read(e);if(r?.run===e.run)return r;let o=e.begun??
r;return o&&this.kept(e,{...o,...nd(e,n,at(this.runtime))})}unpin(e){for(let n of e){let r=this.open.get(n.index)?.filter(
o=>o!==n);r!==void 0&&(r.length===0?this.open.delete(n.index):this.open.set(n.index,r))}}told(e,n,r){let o=this.read(e);
if(n===1)return{told:n,view:r||o?.run===e.run?o??e.ended:e.ended??o};let s=typeof n=="string"?n:null,a=o!==void 0&&(o.status===
"running"||o.status==="pending")&&(r||o.run===e.run);return o===void 0||a&&(s===null||o.question===s)?{told:n,view:o}:{told:n,
view:this.kept(e,{...o,...ed,run:e.run,question:s})}}read(e){let{index:n,generation:r}=e,o=this.runtime.call(s=>s.get(n,
r,g()));return o&&this.kept(e,pn(o))}kept(e,n){return this.places.set(n,e),n}placeOf(e){return this.places.get(e)}},ed={
status:"running",stopReason:null,output:"",error:null,endedAt:null,durationMs:null,partial:!1,truncated:!1,artifacts:[]};
function nd({run:t,begun:e},n,r){let{success:o,backgrounded:s,started:a,artifacts:u,...d}=n,{durationMs:l,usage:c}=d,f=a?
e?.startedAt??r-l:null;return{...Object.fromEntries(Object.entries(d).map(([p,b])=>[p,b??null])),run:t,startedAt:f,endedAt:r,
updatedAt:r,parked:null,question:null,turns:c.turns,artifacts:[...u]}}i(nd,"endOf");var yt=class{static{i(this,"Readers")}#e;#n=new Map;#t=!1;#r;#o=new Set;constructor(e){this.#e=e}reads(e){let{index:n,generation:r}=this.#i(
e);this.#n.set(n,r),this.waits()}waits(){this.#t=!0,this.#r?.stop(),this.#r=void 0}isRead(e){let{index:n,generation:r}=this.#i(
e);return this.#n.get(n)===r}noticeWaits(e){if(this.#t||this.#r!==void 0)return;let n=new re(()=>this.#s(e));n.set(g()+lr),
this.#r=n}#s(e){this.#r=void 0,!(this.#t||(this.#e.unasked(n=>n.pendingNotices(e))??0)===0)&&(this.#t=!0,this.#e.report(
new m("unread_notice",`a background sub-agent ended ${lr/1e3} s ago, and nothing reads its notice: take it with \`inbox.n\
ext()\` or \`inbox.lease()\`, or give \`onWake\` or \`bus\``)))}#i({index:e,generation:n}){let r=this.#e.unasked(o=>o.defaultSession())??
0;return e===0||e===r?{index:r,generation:0}:{index:e,generation:n}}get areWaiting(){return this.#o.size>0}async change({
index:e,generation:n,run:r},o,s){let{keepAlive:a,hosts:u}=this.#e,d=r===0?-1:this.#e.act(p=>p.awaitNotice(g(),e,n,r)),l,
c,f;a.begin();try{await new Promise(p=>{f=p,this.#o.add(f),u.keepAwake(),s!==void 0&&(l=fn(s,f)),Number.isFinite(o)&&(c=
new re(f),c.keepAlive(!0),c.set(o))})}finally{this.#o.delete(f),l?.(),c?.stop(),this.#e.isClosed||(a.end(),d>=0&&this.#e.
act(p=>p.endWait(g(),G(d),d)),u.keepAwake())}}changed(){for(let e of this.#o)e()}clear(){this.changed(),this.waits(),this.#n.
clear()}};function ui(t,e){let n=t.numbersView(),r=e/8,o=Te(n[r+5]),s=Te(n[r+13]);return{index:Te(n[r+0]),generation:Te(n[r+1]),run:Te(
n[r+2]),status:ne[Te(n[r+3])]??"failed",stopReason:v[Te(n[r+4])]??"host_failed",partial:(o&1)!==0,hostStillRunning:(o&2)!==
0,truncated:(o&4)!==0,started:(o&16)===0,doubts:o>>>8,tokens:Re(n[r+6]),nanos:Re(n[r+7]),turns:Re(n[r+8]),durationMs:Re(
n[r+9]),output:(o&8)===0?void 0:t.read(Re(n[r+10]),Re(n[r+11])),raisedBy:s===0?null:t.read(Re(n[r+12]),s),withoutValue:(o&
32)!==0,withoutArtifacts:(o&64)!==0}}i(ui,"readEnded");function Te(t){return t>>>0}i(Te,"unsigned");function Re(t){let e=t|
0;return e===t?e:t}i(Re,"whole");function di(t,{index:e,generation:n},r,o){let{status:s,stopReason:a,output:u,error:d,hostStatus:l,figures:c}=o,f=t.writeLeft(
{output:u,error:d??void 0,hostStatus:l??void 0});return t.call(p=>p.resultText(e,n,r,ne.indexOf(s),v.indexOf(a),c.turns??
-1,c.tokens??-1,c.costUsd??-1,c.durationMs??-1,f.output,f.beside))}i(di,"endText");var rd=Object.freeze([]),od=Object.freeze([]);function li(t){return(t&7)===0?rd:zt(t)}i(li,"dimensions");function kt(t,e,n){
let{tokens:r,nanos:o,turns:s,doubts:a}=e,u={taskId:t.taskId,success:e.status==="completed",backgrounded:e.status==="runn\
ing"||e.status==="pending",run:t.run,status:e.status,stopReason:e.stopReason,output:e.output??n?.output??"",partial:e.partial,
truncated:e.truncated,error:n?.error,hostStatus:n?.hostStatus,hostTaskId:n?.hostTaskId??t.hostTaskId,hostStillRunning:e.
hostStillRunning,artifacts:n?.artifacts??od,value:n?.valueJson===void 0?void 0:n.value,usage:{tokens:r,costUsd:o/1e9,turns:s,
unknown:li(a),invalid:li(a>>>8)},durationMs:e.durationMs,started:e.started,raisedBy:e.raisedBy},d=n?.cause;return d===void 0?
u:Object.defineProperty(u,"cause",{value:d})}i(kt,"resultOf");function ci(t){let{runtime:e,index:n,generation:r}=t;if(!e.
call(s=>s.isOpen(n,r,t.run)))return;let o=e.lookup.snapshot(n,r);return o.background&&!o.cancelRequested?Nr({...o,output:rt(
o)},t):void 0}i(ci,"movedToBackground");function Nr(t,e){let r={...Object.fromEntries(Object.entries(t).map(([c,f])=>[c,
f??void 0])),valueJson:t.value===null?void 0:""},{runtime:o,index:s,generation:a}=e,u=o.call(c=>c.lastEnd(s)),d=o.call(c=>c.
raisedBy(s,a))??null,l={status:ne[u%256],stopReason:v[u>>>8],partial:t.partial,truncated:t.truncated,hostStillRunning:t.
hostStillRunning,started:t.startedAt!==null,tokens:t.usage.tokens,nanos:t.usage.costUsd*1e9,turns:t.usage.turns,doubts:0,
durationMs:t.durationMs??0,output:t.output,raisedBy:d};return{...kt(e,l,r),run:t.run,usage:t.usage}}i(Nr,"resultFrom");function Cr({
usage:t,started:e,durationMs:n}){return Zn(t,e,n)}i(Cr,"figuresIn");function fi(t,e,n=e.format){let{runtime:r,agent:o}=e,
{run:s,status:a,stopReason:u,output:d,error:l,hostStatus:c}=t,f=Cr(t);return n==="json"?De(Ts({...t,figures:f},e.run===s?
o:void 0,r,e)):di(r,e,s,{status:a,stopReason:u,output:d,error:l,hostStatus:c,figures:f})}i(fi,"resultText");function pi(t,e,n){let{asking:r}=t;t.asking=void 0,r!==void 0&&(e===0?r.resolve({answered:!0,answer:n}):r.resolve(e===1?
{answered:!1,reason:"timeout"}:sd(t)))}i(pi,"askDone");async function sd(t){return await void 0,id(t)}i(sd,"stopped");function id(t){
if(t.isLeft)throw be("asks");return{answered:!1,reason:"stopped"}}i(id,"unanswered");function Mr(t,e,n){let r=t.call(a=>a.
question(e,n)),o=t.lookup.taskId(e,n),s=`the sub-agent ${o} asks and waits for a message`;return new m("needs_input",r===
void 0?s:`${s}: '${j(r,Ee)}'`,{taskId:o,question:r??null})}i(Mr,"needsInput");function $r(t,e,n){return`${t} ${e} ${n}`}i($r,"nameOf");var wt=class{constructor(e){this.open=[];this.endedOpen=new Map;
this.manualEnds=new Map;this.awaited=new Set;this.putOff=[];this.outputs=void 0;this.beginning=i(e=>this.runtime.following.
run(e,this.starting,e),"beginning");this.starting=i(e=>{let{gates:n,hosts:r}=this.runtime;n.sub.has("before_start")?n.start(
e):r.start(e)},"starting");this.runtime=e,Y.standAlone()}static{i(this,"Runs")}keep(e){this.open[e.index]===void 0&&this.
runtime.keepAlive.begin(),this.open[e.index]=e}startRun(e,n,r,o){if(this.runtime.isClosed)return;let s=this.find(e,n,r)??
this.found(e,n,r);s!==void 0&&(s.text===void 0&&this.readText(s),s.knowsTools=o,this.runtime.contexts.take(s),this.runtime.
contexts.run(s,this.beginning,s))}found(e,n,r){let o=this.newActive(e,n,r);if(!this.runtime.call(s=>s.isOpen(e,n,r))){this.
runtime.hosts.end(o,Me());return}return this.keep(o),o}readText(e){e.text=this.runtime.call(n=>n.message(e.index))}newActive(e,n,r){
let o=new Y(this.runtime,void 0);return o.index=e,o.generation=n,o.run=r,o}find(e,n,r){let o=this.open[e];return o?.run===
r&&o.generation===n?o:void 0}findOpen(e,n,r){return this.find(e,n,r)??this.endedOpen.get($r(e,n,r))}runEnded(e){let{pins:n,
scratch:r}=this.runtime,o=ui(r,e),{index:s,generation:a,run:u,stopReason:d}=o;this.runtime.readers.changed();let l=this.
find(s,a,u);if(l?.hostOpen!==!0&&this.runtime.hosts.keepAwake(),l===void 0){if(!n.has(s))return!1;let b=this.manualEnds.
get(s);return this.manualEnds.delete(s),n.ended(s,a,u,kt(this.newActive(s,a,0),o,b)),!1}this.open[s]=void 0,this.runtime.
keepAlive.end(),o.hostStillRunning&&!l.hostIsOver&&(this.endedOpen.set($r(s,a,u),l),this.runtime.hosts.goOnWithout(l)),l.
unfollow?.(),l.agent?.stop();let c=!l.hostIsOver&&!l.hostOpen;c&&this.putOff.push(()=>{this.stop(l,d),l.letGo()}),this.runtime.
contexts.ended(l,o.started),l.hostIsOver&&l.letGo();let f=o.hostStillRunning?void 0:l.returned??ad(l.before);if(d==="pol\
icy"&&(f=this.madeByPolicy(l,f??Me(),o)),l.result=kt(l,o,f),n.ended(s,a,u,l.result),this.outputs!==void 0&&(this.outputs[s]=
l),l.followers!==void 0)for(let{resolve:b}of l.followers)b(l.result);l.named?.resolve();let p=l.turn;return p!==void 0&&
(l.turn=void 0,p.resolve({go:!1,reason:d})),c}allTold(){let e=this.putOff;this.putOff=[];for(let n of e)n()}keepOutputs(e){
this.outputs=e?[]:void 0}textOf(e,n){return this.find(e,n,1)?.text}outputOf(e,n,r){let o=this.outputs?.[e];if(!(this.outputs===
void 0||o?.run!==r||o.generation!==n))return this.outputs[e]=void 0,o.result?.output}manualEnded(e,n){this.runtime.pins.
has(e)&&this.manualEnds.set(e,n)}runRetried(e,n,r,o){let{pins:s,sessionData:a,hosts:u}=this.runtime;a.empty(e,n),s.retried(
e,n,r),u.keepAwake();let d=this.find(e,n,r);if(d===void 0)return;d.agent?.stop();let l=v[o]??"host_failed";d.turn?.resolve(
{go:!1,reason:l}),d.turn=void 0,this.open[e]=d.nextAttempt(l)}madeByPolicy({index:e,generation:n,agent:r},o,{withoutValue:s,
withoutArtifacts:a}){let u=this.runtime.call(c=>c.status(e,n))<0,d=r?.blockedBecause,l=u?d&&kn(d,K(this.runtime,"maxResu\
ltBytes")):this.runtime.lookup.snapshot(e,n).error??void 0;return{...o,error:l,artifacts:a?void 0:o.artifacts,valueJson:s?
void 0:o.valueJson}}abortRun(e,n,r,o){let s=this.findOpen(e,n,r);if(s===void 0)return;s.agent?.stop();let a=v[o]??"cance\
lled";this.runtime.contexts.run(s,u=>this.stop(s,u),a),s.isLeft&&this.runtime.waits.leave(s)}stop(e,n){try{e.abort(n)}catch(r){
this.runtime.report(r)}}policiesDue(e,n,r,o){let s=this.findOpen(e,n,r);if(s===void 0)return;let a=v[o];a==="timeout"||a===
"idle_timeout"?this.runtime.contexts.run(s,u=>this.runtime.gates.timedOut(s,u),a):s.agent?.overdue()}askDone(e,n,r,o,s,a){
let u=this.find(e,n,r);u!==void 0&&pi(u,o,this.runtime.scratch.read(s,a))}turnReady(e,n,r){let o=this.find(e,n,r);if(o===
void 0)return!1;let s=o.takeStart();if(s!==void 0)return this.putOff.push(()=>this.runtime.contexts.run(o,()=>this.runtime.
following.run(o,s,void 0),void 0)),!0;let{turn:a}=o,u=a&&this.beginTurn(o,a.estimate);return u!==void 0&&(o.turn=void 0,
a?.resolve(u)),!1}activeOf(e,n){let r=this.open[e];if(r!==void 0&&r.generation===n)return r;let o=this.runtime.call(a=>a.
lastRun(e,n));if(o===0||!this.runtime.call(a=>a.isOpen(e,n,o)))return;let s=this.newActive(e,n,o);return this.keep(s),s}takeTurn(e,n){
let r=this.beginTurn(e,n),o=r===void 0?new Promise((s,a)=>{e.turn={estimate:n,resolve:s,reject:a}}):Promise.resolve(r);return this.
runtime.carryOut(),o}beginTurn({index:e,generation:n,run:r},{tokens:o,cost:s}){let a=this.runtime.call(p=>p.beginTurn(g(),
e,n,r,o,s));if(a===0)return;if(a===-1)return{go:!1,reason:"actor_ended"};if(a<0)return{go:!1,reason:v[-2-a]??"cancelled"};
let{turn:u,injects:d,wrapUp:l}=qn(a),c=d?{inject:this.runtime.call(p=>p.takeInject())}:void 0;if(l===void 0)return{go:!0,
turn:u,...c};let f=this.runtime.call(p=>({tokens:p.heldTokens(e),costUsd:p.heldDollars(e)}));return{go:!0,turn:u,wrapUp:!0,
reason:l,...f,...c}}returned(e){this.endedOpen.size>0&&this.endedOpen.delete($r(e.index,e.generation,e.run)),this.awaited.
size>0&&this.awaited.delete(e),e.result!==void 0&&e.letGo()}untilOver(e){return new Promise(n=>{e.onHostOver??=[],e.onHostOver.
push(n),this.awaited.add(e)})}batchOver(){this.endedOpen.clear()}close(e){for(let n of this.open)if(n!==void 0){n.turn?.
reject(e),n.turn=void 0,n.asking?.reject(e),n.asking=void 0;for(let{reject:r}of n.followers??[])r(e);n.named?.resolve(),
n.unfollow?.(),n.agent?.stop(),this.stop(n,e.code==="disposed"&&this.runtime.journal===void 0?"cancelled":"host_lost")}for(let{
onHostOver:n=[]}of this.awaited)for(let r of n)r();this.awaited.clear(),this.open.length=0,this.manualEnds.clear()}};function ad(t){
return t&&{...Me(),error:t.error,cause:t.cause}}i(ad,"errorOf");var xt=class{constructor(e){this.kept=new Map;this.runtime=e}static{i(this,"SessionData")}of(e,n){return this.keptOf(e,n).
values}empty(e,n){let r=this.kept.get(e);r?.generation===n&&r.values.clear()}check(e,n,r){this.keptOf(e,n).check=r}checkOf(e,n){
if(this.kept.size===0)return;let r=this.kept.get(e);return r?.generation===n?r.check:void 0}keptOf(e,n){let r=this.kept.
get(e);if(r?.generation===n)return r;if(this.runtime.call(s=>s.status(e,n))<0)throw new m("forgotten","this sub-agent ha\
s been forgotten");this.runtime.call(s=>s.tellForgotten());let o={generation:n,values:new Map};return this.kept.set(e,o),
o}taskForgotten(e,n){this.kept.size>0&&this.kept.get(e)?.generation===n&&this.kept.delete(e)}clear(){this.kept.clear()}};function mi(t){let e=t.call(r=>r.claimed()),n=[];for(let r=0;r<e.length;r+=3){let[o,s,a]=e.subarray(r,r+3),u=t.call(d=>d.
deliveryId(o,s,a));n.push({deliveryId:u,taskId:t.lookup.taskId(o,s),run:a})}return n}i(mi,"claimedEnds");var ld="only the waiting was aborted: what was to be stopped is being stopped all the same";var St=class{constructor(e){this.open=[];this.crowded=new Map;this.count=0;this.untilClosed=new Set;this.runtime=e}static{
i(this,"Waits")}get areOpen(){return this.count>0||this.untilClosed.size>0}waitFor(e,n,r,o,s){this.runtime.check();let{index:a,
generation:u}=n,d=this.runtime.runs.activeOf(a,u),l=r===Number.POSITIVE_INFINITY&&e.run===0&&!this.runtime.listeners.listening&&
this.runtime.following.present===void 0,c=l?0:g(),f=z(this.runtime),p;try{p=this.runtime.core.wait(c,e.index,e.generation,
e.run,a,u,r)}catch(h){throw this.runtime.poison(h)}finally{Q(f)}if(p===-1)throw this.runtime.refusal();if(p<0){let h=this.
answered(p,n);return this.runtime.carryOut(),h}s!==void 0&&(s.wait=p);let b=this.waiting(p,d,e,o);return l||this.runtime.
carryOut(),b}waitForCall(e,n){let{index:r,generation:o}=n;if(e.isAborted&&this.runtime.runs.activeOf(r,o)===void 0)return this.
runtime.answer(cd(()=>this.pastResult(n)));let s=this.waitFor(e.actor,n,Number.POSITIVE_INFINITY,void 0,e);return e.isAborted&&
this.abortCall(e,n).catch(()=>{}),s}async abortCall(e,{index:n,generation:r}){e.isAborted=!0;let o=this.runtime.readers.
isRead(e.actor),{wait:s}=e,a=this.runtime.unasked(u=>u.abortCall(g(),n,r,G(s),s,o));a!==void 0&&a>=0?await this.opened(a):
this.runtime.carryOut()}answered(e,n){return e===-4?this.runtime.answer(void 0):e===-3?this.runtime.answer(Promise.reject(
Mr(this.runtime,n.index,n.generation))):this.runtime.answer(this.pastResult(n))}waiting(e,n,r,o){let s,a,u=new Promise((d,l)=>{
s=d,a=l});return this.keep({wait:e,active:n,actor:r,resolve:s,reject:a},o),this.runtime.hosts.keepAwake(),u}pastResult({
index:e,generation:n,latest:r}){let o=this.runtime.call(s=>s.lastRun(e,n));return r.result!==void 0&&(o===0||r.run===o)?
r.result:Nr(this.runtime.lookup.snapshot(e,n),r)}waitMany(e,n,{all:r,idle:o,timeoutMs:s},a,u){let d=new Uint32Array(n.flatMap(
p=>[p.index,p.generation])),l=(r?1:0)|(o?2:0),c=this.runtime.call(p=>p.waitMany(g(),e.index,e.generation,e.run,d,l,s));if(c===
-1)throw this.runtime.refusal();if(c>=0)return this.opened(c,u,void 0,a,e);let f=a(c===-4,this.runtime.call(p=>p.told())??
[]);return this.runtime.carryOut(),Promise.resolve(f)}cancel(e,n,r,o,s=Number.NaN,a){return this.stop(u=>u.cancel(g(),e.
index,e.generation,e.run,n,r,v.indexOf(o),s),a)}stop(e,n){let r=this.runtime.call(e);if(r===-1)throw this.runtime.refusal();
let o={acked:mi(this.runtime)},s=this.opened(r,n,ld);return r===-2?Promise.resolve(o):s.then(()=>o)}opened(e,n,r,o,s){let a=e===
-2?Promise.resolve(void 0):new Promise((u,d)=>{this.keep({wait:e,active:void 0,actor:s,read:o,resolve:u,reject:d},n,r),this.
runtime.hosts.keepAwake()});return this.runtime.carryOut(),a}drain(e){this.runtime.act(r=>r.startDrain(g(),e));let n=this.
runtime.call(r=>r.drain(g(),e));return this.runtime.keepAlive.begin(),new Promise((r,o)=>{this.untilClosed.add(o),this.runtime.
hosts.keepAwake(),n.then(s=>{this.untilClosed.delete(o)&&this.runtime.keepAlive.end(),this.runtime.hosts.keepAwake(),r(s)},
s=>o(this.runtime.poison(s)))})}keep(e,n,r="the wait was aborted; that touches no sub-agent"){let{wait:o}=e,s=G(o);this.
open[s]===void 0?this.open[s]=e:this.crowded.set(o,e),this.runtime.keepAlive.begin(),this.count+=1,this.parkPresent(e),n!==
void 0&&this.follow(e,n,r)}parkPresent({wait:e,actor:n}){let r=(n?.run??0)===0?this.runtime.following.present:void 0;if(r===
void 0)return;let{index:o,generation:s,run:a}=r;this.runtime.unasked(u=>u.waitsWithin(g(),G(e),e,o,s,a))}take(e){let n=G(
e),r=this.open[n];if(r?.wait===e)return this.open[n]=void 0,r;if(this.crowded.size===0)return;let o=this.crowded.get(e);
return this.crowded.delete(e),o}done(e,n,r){let o=this.take(e);if(o===void 0)return;this.runtime.keepAlive.end(),this.count-=
1,this.runtime.hosts.keepAwake();let{resolve:s,unfollow:a}=o,u=o.active?.latest;a?.();try{u===void 0?s(o.read===void 0?n:
o.read(n,r??[])):u.result===void 0&&!n?this.endWithout(o,u):s(n?void 0:u.result)}catch(d){o.reject(d)}}endWithout({actor:e,
aborted:n,resolve:r,reject:o},s){let{index:a,generation:u}=s,{runtime:d}=this;if(d.call(c=>c.question(a,u))!==void 0){r(
d.answer(Promise.reject(Mr(d,a,u))));return}let l=ci(s);l!==void 0?r(d.answer(l)):n!==void 0?o(n):e!==void 0&&this.waitFor(
e,s,Number.POSITIVE_INFINITY).then(r,o)}rejectAll(e){for(let n of[...this.open,...this.crowded.values()])n!==void 0&&(n.
unfollow?.(),n.reject(e));this.open.length=0,this.crowded.clear(),this.count=0;for(let n of this.untilClosed)n(e);this.untilClosed.
clear()}leave({index:e,generation:n,run:r}){for(let o of[...this.open,...this.crowded.values()]){let s=o?.actor;o===void 0||
s?.index!==e||s.generation!==n||s.run!==r||this.abort(o,be("waits"))}}abort(e,n){e.aborted=n;let{wait:r}=e;this.runtime.
unasked(o=>o.endWait(g(),G(r),r))!==!1&&e.reject(n),this.runtime.carryOut()}follow(e,n,r){let{wait:o}=e,s=G(o),a=i(()=>{
if(this.open[s]!==e&&this.crowded.get(o)!==e)return;let u=Pn(this.runtime,n);this.abort(e,u?be("waits"):new m("aborted",
r,{},{cause:n.reason}))},"fire");if(n.aborted){a();return}e.unfollow=fn(n,a)}};async function cd(t){return t()}i(cd,"asP\
romise");var At=class{static{i(this,"Wakes")}#e;#n=new Map;#t=new Set;#r=new Set;constructor(e){this.#e=e}register(e,n,r){if(r===
void 0)this.#n.delete(e);else{this.#n.set(e,{scope:n,onWake:Ne(r)});let{journal:o}=this.#e;o?.isStarted===!0&&(this.#e.unasked(
s=>s.pendingNotices(e))??0)>0&&this.mark(e)}}mark(e){if(this.#e.readers.changed(),!this.#n.has(e)){this.#e.readers.noticeWaits(
e);return}this.#t.size===0&&queueMicrotask(()=>this.#o()),this.#t.add(e),!this.#r.has(e)&&(this.#r.add(e),this.#e.keepAlive.
begin())}review(){for(let e of this.#r)this.#n.has(e)&&this.#e.unasked(n=>n.noticesWait(e))===!0||this.#r.delete(e)&&this.#e.
keepAlive.end()}clear(){this.#n.clear(),this.#r.clear()}#o(){if(this.#e.isPutOff(()=>this.#o()))return;let e=this.#t;this.#t=
new Set;for(let n of e){let r=this.#n.get(n),o=this.#e.unasked(s=>s.pendingNotices(n));r===void 0||o===void 0||o===0||(this.#e.
tell(()=>r.onWake(r.scope,{pending:o})),this.#e.unasked(s=>s.woken(g(),n)),this.#e.carryOut())}this.review()}};function bi(t){return Object.entries(t.properties).map(([n,r])=>({means:n,name:n,schema:r,required:t.required.includes(n)}))}
i(bi,"fieldsIn");function yi(t,e){try{return fd(t,e)}catch(n){return{mistakes:[`the arguments can't be read: ${j(A(n),bn)}`]}}}
i(yi,"checkFields");function mn(t){return(typeof t=="string"?t.trim()===""?void 0:JSON.parse(t):t)??{}}i(mn,"parsed");function fd(t,e){
let n=se(mn(e));if(typeof n!="object"||Array.isArray(n))return{mistakes:[`the arguments must be an object, got ${k(n)}`]};
let r=[],o={},s=[];for(let a of t){let{means:u,schema:d,required:l}=a,{name:c,value:f,another:p}=pd(a,n);if(p!==void 0)r.
push(`\`${c}\` and \`${p}\` mean the same: give one`);else if(md(a,f))f!==void 0&&s.push(c),l&&r.push(`\`${c}\` is missin\
g: it must be ${gi(d)}`);else if(wi(d,f))o[u]=f;else{let b=i(x=>typeof x!="string","isOther"),h=Array.isArray(f)&&f.some(
b)?`one with ${k(f.find(b))}`:k(f),w=typeof f=="string"&&d.enum!==void 0?ee(f,d.enum):void 0;r.push(`\`${c}\` must be ${gi(
d)}, got ${h}${w===void 0?"":`; did you mean '${w}'?`}`)}}return r.push(...gd(t,n)),r.length>0?{mistakes:r}:{params:o,given:n,
leftOut:s}}i(fd,"check");function pd({name:t,aliases:e=[]},n){let r=i(l=>{let c=ae(n,l);return Array.isArray(c)?go(`\`${l}\
\``,c):c},"read"),o=r(t);if(e.length===0)return{name:t,value:o};let s=[{name:t,value:o},...e.map(l=>({name:l,value:r(l)}))],
[a={name:t,value:o},...u]=s.filter(l=>!hn(l.value)),d=u.find(l=>l.value!==a.value);return{...a,...d&&{another:d.name}}}i(
pd,"valueGiven");function md({schema:t,required:e},n){if(n==null)return!0;let r=t.type==="integer"||t.type==="number";return!e&&
(hn(n)||r&&n===0&&!wi(t,0))}i(md,"isLeftOut");var hd=10;function hn(t){return Array.isArray(t)?t.length<=hd&&t.every(e=>typeof e==
"string"&&e.trim()===""):t==null||typeof t=="string"&&t.trim()===""}i(hn,"isBlank");function Dr(t,e){let n=new Set(t.flatMap(
({name:r,aliases:o=[]})=>[r,...o]));return Object.entries(Object.getOwnPropertyDescriptors(e)).flatMap(([r,{enumerable:o,
value:s}])=>o===!0&&!hn(s)&&!n.has(r)?[r]:[])}i(Dr,"unknownIn");function gd(t,e){return ki(t)===void 0?[]:Dr(t,e).flatMap(
n=>{let r=Fr(t,n);return r===void 0?[]:[`there is no \`${j(n)}\` here: did you mean \`${r}\`?`]})}i(gd,"misnamedIn");var bd=/^(sub)?agents?$|^targets?$|^handles?$|^recipients?$/,
yd=["id","ids","to","name","nickname","task_id","task_ids"];function ki(t){return t.find(({means:e})=>e==="target"||e===
"targets"||e==="continues")}i(ki,"targetOf");function Fr(t,e){let n=ki(t);if(n===void 0)return;if(ee(e,t.map(({name:s})=>s))===
n.name)return n.name;let r=e.replaceAll(/([a-z\d])([A-Z])/g,"$1_$2").toLowerCase().split(/[^a-z\d]+/);return(n.means==="\
continues"?r.at(-1)==="id":yd.includes(r.join("_"))||r.some(s=>bd.test(s)))?n.name:void 0}i(Fr,"targetMeantBy");function wi(t,e){
switch(t.type){case"string":return typeof e!="string"?!1:t.enum===void 0?t.minLength===void 0||e.trim()!=="":t.enum.includes(
e);case"boolean":return typeof e=="boolean";case"array":return Array.isArray(e)&&e.length>=(t.minItems??0)&&e.every(n=>typeof n==
"string");case"integer":return Number.isSafeInteger(e)&&hi(t,e);case"number":return typeof e=="number"&&Number.isFinite(
e)&&hi(t,e)}}i(wi,"fits");function hi({minimum:t,maximum:e,exclusiveMinimum:n},r){return(t===void 0||r>=t)&&(e===void 0||
r<=e)&&(n===void 0||r>n)}i(hi,"inRange");function gi(t){switch(t.type){case"string":return t.enum!==void 0?`one of ${t.enum.
join(", ")}`:t.minLength===void 0?"a text":"a text that is not empty";case"boolean":return"true or false";case"array":return t.
minItems===void 0?"a list of texts":`a list of at least ${t.minItems} text${t.minItems===1?"":"s"}`;case"integer":case"n\
umber":{let{minimum:e,maximum:n,exclusiveMinimum:r}=t,o=t.type==="integer"?"a whole number":"a number",s=e!==void 0?` of\
 at least ${e}`:r!==void 0?` above ${r}`:"";return`${o}${s}${n===void 0?"":`${s===""?" of":" and"} at most ${n}`}`}}}i(gi,
"expected");var Lr=5;function xi(t,e){try{let n=mn(t);if(typeof n!="object"||Array.isArray(n))return"";let r=Dr(e,n).filter(a=>Fr(e,
a)===void 0),o=e.map(({name:a})=>a).filter(a=>hn(Object.getOwnPropertyDescriptor(n,a)?.value));return`${r.slice(0,Lr).map(
a=>{let u=ee(a,o);return`\`${j(a)}\`${u===void 0?"":` (did you mean \`${u}\`?)`}`}).join(", ")}${r.length>Lr?` and ${r.length-
Lr} more`:""}`}catch{return""}}i(xi,"ignoredOf");function Si(t,e){let n=kd(t);return n===void 0?`${t}
Ignored: ${e}.`:Array.isArray(n)?t:je({...n,ignored:e})}i(Si,"withIgnored");function kd(t){if(/^[{[]/.test(t))try{return JSON.
parse(t)}catch{return}}i(kd,"jsonIn");function Ai(t,e){let n=i(async(d,l)=>{let c=xi(d,e.fields),{text:f,details:p}=await e.call(d,l);return{text:c===""?f:Si(
f,c),details:p}},"call"),r={...e,call:i((d,l)=>t.answer(n(d,l)),"call")},o=Td({...r.schema},d=>r.check(d)),{name:s,label:a,
description:u}=r;return{name:s,label:a,description:u,parameters:o,inputSchema:o,execute(...d){return d.length>1&&wd(d[0])?
xd(r,d):Ad(r,d)}}}i(Ai,"toolObject");function wd(t){return typeof t=="string"&&!/^\s*[{["]/.test(t)}i(wd,"isCallId");async function xd(t,e){
let[n,r,o,s]=e,a=typeof s!="function"?void 0:c=>{let f=c(),p={content:[{type:"text",text:f.text}],details:t.detailsOf(f)};
return s(p)},{text:u,details:d}=await t.call(r,{signal:Oi(o),toolCallId:n,notifies:!0,progress:a}),l=Sd(d);return{content:[
{type:"text",text:u}],details:d,...l&&{usage:l}}}i(xd,"calledByPi");function Sd(t){let{tokens:e,cost:n}=t??{};if(typeof e!=
"number"||typeof n!="number")return;let r={input:0,output:0,cacheRead:0,cacheWrite:0};return{...r,totalTokens:e,cost:{...r,
total:n}}}i(Sd,"usageIn");function Ad(t,e){let n=new Kr,r=(async()=>{let[o,s]=e,{signal:a,abortSignal:u,toolCallId:d,onUpdate:l,
notifies:c,writer:f,outputWriter:p}=R("the options of the call",()=>{let x=i(ve=>ae(Object(s),ve),"given"),[S,X,Z]=[x("s\
ignal"),x("abortSignal"),x("toolCallId")],[oe,T]=[x("onUpdate"),x("notifies")];return{signal:S,abortSignal:X,toolCallId:Z,
onUpdate:oe,notifies:T,writer:x("writer"),outputWriter:x("outputWriter")}}),b=typeof l=="function"?l:Od(f,p,d),h=i(x=>(n.
push(x),b?.(x())),"progress"),w={signal:Oi(a??u),toolCallId:typeof d=="string"?d:void 0,notifies:c!==!1,progress:h};return(await t.
call(o,w)).text})();return Object.defineProperty(r,Symbol.asyncIterator,{value:i(()=>n.until(r),"value")})}i(Ad,"called");
function Oi(t){return xn("`signal`",t??void 0)}i(Oi,"signalFrom");function Od(t,e,n){if(typeof t=="function")return r=>t(
{type:"subagent-progress",toolCallId:n,...r});if(typeof e=="function")return r=>{Promise.resolve(e({type:"data-subagent-\
progress",data:{toolCallId:n,...r}})).catch(()=>{})}}i(Od,"sinkOf");var Kr=class{constructor(){this.newest=void 0;this.count=
0;this.due=0;this.isRead=!1;this.timer=void 0;this.waiting=[]}static{i(this,"Updates")}push(e){this.newest=e,this.count+=
1,this.isRead&&this.arm()}arm(){this.timer??=setTimeout(()=>{this.timer=void 0,this.due=this.count,this.wake()},0)}wake(){
for(let e of this.waiting.splice(0))e()}async*until(e){this.isRead=!0,this.count>this.due&&this.arm();let n=!1,r=0,o=i(()=>{
n=!0,clearTimeout(this.timer),this.wake()},"end");for(e.then(o,o);;)if(this.newest!==void 0&&this.due>r)r=this.due,yield this.
newest().text;else{if(n)break;await new Promise(s=>{this.waiting.push(s)})}yield await e}};function Td(t,e){let n=i(()=>JSON.
parse(JSON.stringify(t)),"plain");return Object.defineProperty(t,"~standard",{enumerable:!1,value:{version:1,vendor:"sub\
agents",validate(r){let o=e(r);return"params"in o?{value:mn(r)}:{issues:o.mistakes.map(s=>({message:s}))}},jsonSchema:{input:n,
output:n}}})}i(Td,"withStandard");function Ti(t){return t===void 0?"Send it a message to answer.":`${t} answers it.`}i(Ti,"howToAnswer");var Ur={abandoned_limit:"Do the work yourself.",budget_exhausted:"Do the work yourself.",children_limit:"Wait until one \
ends, or do the work yourself.",concurrency_limit:"Wait until one ends, or do the work yourself.",depth_limit:"Do the wo\
rk yourself.",draining:"Do the work yourself.",queue_full:"Wait until one ends, or do the work yourself.",tasks_limit:"D\
o the work yourself."},Ri=new Set(["abandoned_limit","children_limit","concurrency_limit","queue_full","tasks_limit"]);function gn(t,e,n,r){if(n===void 0)return r.text;try{let o=n(r);if(typeof o=="string"&&o!=="")return o;t.report(y(`what \
\`texts.${e}\` returns`,"a text that is not empty",o))}catch(o){t.report(o)}return r.text}i(gn,"said");function Wr(t,{taskId:e,hostTaskId:n}){if(n===null)return e;let r=t.write(e),o=t.call(u=>u.find(0,0,0,r));if(o<0)return e;
let{index:s,generation:a}=J(o);return t.call(u=>u.toldId(s,a))}i(Wr,"idTold");var Ot=class{static{i(this,"Answers")}constructor(e,n,r){this.runtime=e,this.options=n,this.others=r}why(e){let{argument:n}=e.
details,r=typeof n=="string"?this.others.fields?.[n]:void 0;return r===void 0?Ye(e):Ye(e).replaceAll(`\`${n}\``,`\`${r}\``)}refused(e,n,r=vd(
n)){let o=`No sub-agent was started: ${e}`,{texts:s}=this,a=r===void 0?gn(this.runtime,"refused",s?.refused,{reason:e,text:o}):
gn(this.runtime,"limitReached",s?.limitReached,{...r,text:o}),u=this.detailsOfNone(n),{taskId:d,status:l}=u;return{text:this.
told(a,d||null,l,a),details:u}}reported(e){let n=this.detailsOfNone();return{text:this.isJson&&xr(e)===void 0?De({...et(
null,"refused",null),output:e}):e,details:n}}started(e,n,r){let{taskId:o,hostTaskId:s,index:a,generation:u}=e,d=this.runtime.
call(x=>x.toldId(a,u)),l=e.snapshot(),{label:c}=l,f=Ei(l),p=`${rt({label:c,taskId:d},r)}${this.later(r)}`,b=gn(this.runtime,
"started",this.texts?.started,{id:d,taskId:o,hostTaskId:s,label:c,text:p}),h=this.told(b,o,f),w={taskId:o,background:!0,
status:f,durationMs:null,turns:null,cost:null};return s!==void 0&&(w.hostTaskId=s),{text:h,details:this.withModel(w,n)}}startedBefore(e){
let{taskId:n,status:r,label:o,modelId:s}=e,a=`Subagent [${j(o,pe)}] was started before (id: ${Wr(this.runtime,e)}); it i\
s ${r}.`;return{text:this.told(a,n,r),details:this.withModel(vi(e,!0,r),s??void 0)}}goesOn(e){let n=Ei(e),r=`The call wa\
s aborted; sub-agent ${Wr(this.runtime,e)}, which was started before, goes on.`;return{text:this.told(r,e.taskId,n),details:this.
withModel(vi(e,!1,n),e.modelId??void 0)}}asked(e,n,r,o){let{index:s,generation:a,taskId:u}=e,l=`${n===void 0?`Subagent [${j(
e.brief().label,pe)}] (id: ${this.runtime.call(p=>p.toldId(s,a))}) asked, and has been answered meanwhile.`:`${n}
${Ti(this.others.answer)}`} It goes on in the background${o?`; ${Rr}`:`.${this.later(o)}`}`,c=this.isJson?De({...et(u,"r\
unning",null),output:l}):l,f={taskId:u,background:!0,status:"running",durationMs:null,turns:null,cost:null};return{text:c,
details:this.withModel(f,r)}}later(e){let{collect:n}=this.others;return n!==void 0?` ${n} gets its result.`:e?"":" No no\
tice of its end comes here."}ended(e,n,r){let{status:o,hostStatus:s}=n,a=Cr(n),{turns:u,durationMs:d}=a,{tokens:l,costUsd:c,
own:f}=dn(this.runtime,e,n.run,a),{rest:p}=this.others,b=p!==void 0&&!this.isJson&&this.runtime.write(n.output)>K(this.runtime,
"inlineBytes"),h=this.others.collect!==void 0&&!this.isJson&&this.namesOthers(e),w=[b&&`${p} shows what was left out.`,h&&
`${this.others.collect} gets the results of those at work below it.`],x=[fi(n,e.latest),...w.filter(T=>T!==!1)].join(`
`),S={taskId:e.taskId,background:e.background,status:o,durationMs:d,turns:u,cost:c,tokens:l};f!==void 0&&(S.own={tokens:f.
tokens,cost:f.costUsd}),n.hostTaskId!==void 0&&(S.hostTaskId=n.hostTaskId),s!==void 0&&(S.hostStatus=s),n.artifacts.length>
0&&(S.artifacts=n.artifacts);let X=o==="completed"?"completed":"failed",Z=this.texts?.[X];return{text:Z===void 0?x:gn(this.
runtime,X,Z,this.factsOf(e,n,S,x)),details:this.withModel(S,r)}}forgotten(e,n){let{taskId:r,background:o}=e,s="forgotten",
a=`Sub-agent ${r} was ended before it had done anything, and has been forgotten.`,u={taskId:r,background:o,status:s,durationMs:null,
turns:null,cost:null};return{text:this.told(a,r,s,a),details:this.withModel(u,n)}}detailsOfNone(e){let n=e?.code==="idem\
potency_forgotten",r=n?e.details.taskId:"",o=n?"forgotten":"refused";return this.withModel({taskId:r,background:!1,status:o,
durationMs:null,turns:null,cost:null})}get texts(){return this.isJson?void 0:this.options.texts}namesOthers({index:e,generation:n}){
return this.runtime.call(r=>r.goingOn(e,n)).length>0}get isJson(){return this.options.format==="json"}told(e,n,r,o=null){
return this.isJson?De(et(n,r,o)):e}factsOf(e,n,{turns:r,tokens:o=null,cost:s,durationMs:a},u){let{taskId:d,index:l,generation:c}=e,
{hostTaskId:f,status:p,stopReason:b,output:h}=n,w=this.runtime.call(Z=>Z.toldId(l,c)),x=Rd(e),S=u.indexOf(`
`),X=S<0?"":u.slice(S+1);return{id:w,taskId:d,hostTaskId:f,label:x,status:p,stopReason:b,turns:r,tokens:o,cost:s,durationMs:a,
output:h,fenced:X,text:u}}withModel(e,n){try{let r=n??V(this.runtime.functions.getModelId?.());return typeof r=="string"?
{...e,modelId:r}:e}catch{return e}}};function vi(t,e,n){return{...Ed(t),taskId:t.taskId,background:e,status:n,durationMs:null,
turns:null,cost:null}}i(vi,"openDetails");function Ei({status:t}){return t==="pending"?"pending":"running"}i(Ei,"underWa\
y");function fe(t){return Bt(t)&&t.code!=="disposed"&&t.code!=="internal"&&!vo(t)}i(fe,"isRefusal");function Rd(t){try{return t.
brief().label}catch(e){if(fe(e))return"";throw e}}i(Rd,"labelOf");function vd(t){if(t===void 0||!Ri.has(t.code))return;let{
active:e,limit:n}=t.details;return{active:e,limit:n}}i(vd,"fullBy");function Ed({hostTaskId:t}){return t===null?{}:{hostTaskId:t}}
i(Ed,"hostIdOf");function ji(t){let e=0,n="";return(r,o)=>{e=o.turn??e,n=o.message??n;let s={turn:e,message:n};r.runtime.tell(()=>{let{label:a}=r.
brief();return t(()=>jd({taskId:r.taskId,label:a,...s}))})}}i(ji,"watcher");function jd(t){let{label:e,turn:n,message:r}=t,
o=n===0?"has started":`is at turn ${n}`,s=`[${j(e,pe)}] ${o}${r===""?"":`: ${j(r,Ee)}`}`;return{...t,text:s}}i(jd,"progr\
essOf");var Tt=class{static{i(this,"SpawnCall")}constructor(e,n,r,o={},s=!1){this.isAlone=s,this.runtime=e,this.actor=n,this.options=
Object.assign(Object.create(null),r),this.answers=new Ot(e,this.options,o)}async run(e,n){this.runtime.check();let{onDetails:r}=this.
options;if(r===void 0)return this.answer(e,n);let o=await this.runtime.answer(this.answer(e,n));return this.runtime.tell(
()=>r(o.details,n.toolCallId)),o}async answer(e,n){let{signal:r,toolCallId:o,progress:s}=n,a=n.notifies&&this.isNotified,
u=i((T,ve)=>this.runtime.refusals.tell("spawn",this.actor,T,ve),"tell");if("mistakes"in e){let T=e.mistakes.join("; ");return u(
null,new m("invalid_argument",T)),this.answers.refused(`${T}. Correct the arguments and call again.`)}let{params:d,checked:l}=e,
c=l.instructions??null,f=this.hostLimit();if(f!==void 0)return u(c,new m("spawn_denied",f.why)),this.answers.refused(f.why,
void 0,f.full);if(r?.aborted===!0)return u(c,new m("aborted","the call was aborted before it began")),this.answers.refused(
"the call was aborted before it began.");let p=Qt(this.actor,a),b,h,{backgroundTimeoutMs:w,onParentEnd:x}=this.options,[
S,X,Z]=[this.keyOf(o,d),this.originOf(),this.metadataOf(o,d)];try{let T=q("what `idempotencyKey` returns",S),ve={...l,...T!==
void 0&&{idempotencyKey:T},...X!==void 0&&{origin:X},...Z!==void 0&&{metadata:Z}};h=sn(ve,this.runtime,!0),h.background&&
w!==void 0&&(h=sn({...ve,timeoutMs:w},this.runtime,!0)),h.signal=r,h.call=p,h.answers=this.answerers,this.options.format===
"json"&&(on(h).json=!0),x!==void 0&&(on(h).onParentEnd=x),s!==void 0&&!h.background&&(h.watch=ji(s)),b=Qs(this.runtime,this.
actor,h,d)}catch(T){if(!fe(T))throw T;return u(c,T),typeof T.details.report=="string"?this.answers.reported(T.details.report):
this.answers.refused(`${Pd(this.answers.why(T))}${Ii(T.code)}`,T)}let oe=h.staged?.modelId??this.modelOf(b);try{return h.
repeated===!0?await this.repeated(b,h.background,r,a):h.background?(await(b.named&&qr(b.named.promise,K(this.runtime,"gr\
aceMs"))),this.runtime.hosts.endArrived(),this.runtime.check(),_d(r)||this.isAlone&&b.result?.success===!1?await this.outcome(
b,oe,p):this.movedOn(b,oe,a)):await this.outcome(b,oe,p)}catch(T){if(fe(T)&&b.result!==void 0)return this.answers.ended(
b,b.result,oe);if(fe(T)&&T.code==="forgotten")return this.answers.forgotten(b,oe);throw T}}async outcome(e,n,r){try{let o=await this.
runtime.waits.waitForCall(r,e);return o.backgrounded?this.movedOn(e,n,r.notifies):this.answers.ended(e,o,n)}catch(o){if(fe(
o)&&o.code==="needs_input")return this.asks(e,n,r);throw o}}keyOf(e,n){let{idempotencyKey:r}=this.options;return r===void 0?
void 0:V(r(e,n))}metadataOf(e,n){let{metadata:r}=this.options;return typeof r=="function"?V(r(e,n)):r}originOf(){let{origin:e}=this.
options;return typeof e=="function"?V(e()):e}async repeated(e,n,r,o){let s=this.runtime.lookup.snapshot(e.index,e.generation),
a=s.modelId??void 0;if(n)return this.answers.startedBefore(s);try{let u=await this.runtime.waits.waitFor(this.actor,e,Number.
POSITIVE_INFINITY,r);return u.backgrounded?this.answers.started(e,a,o):this.answers.ended(e,u,a)}catch(u){if(fe(u)&&u.code===
"needs_input")return this.asks(e,a,Qt(this.actor,o));if(!(fe(u)&&u.code==="aborted"))throw u;return this.answers.goesOn(
s)}}get isNotified(){return!this.isAlone||this.runtime.functions.spawnBackgroundSubAgent!==void 0}get answerers(){let{canAnswer:e}=this.
options;return e===void 0?16:e?48:32}async asks(e,n,r){let{index:o,generation:s}=e,{actor:a}=this,u=this.runtime.call(l=>l.
questionText(o,s));return this.runtime.act(l=>l.moveToBackground(g(),a.index,a.generation,a.run,o,s))?(this.letGoOfCall(
e),this.answers.asked(e,u,n,r.notifies)):this.outcome(e,n,r)}movedOn(e,n,r){return this.letGoOfCall(e),this.answers.started(
e,n,r)}letGoOfCall(e){e.unfollow?.(),e.unfollow=void 0}hostLimit(){let{canSpawn:e,getConcurrencyInfo:n}=this.runtime.functions;
if(e!==void 0)try{let r=V(e());if(r===!0)return;if(r!==!1)throw Id(k(r));let o=V(n?.());return{why:`${Number.isFinite(o?.
active)&&typeof o?.limit=="number"?`${o.active} of ${o.limit} sub-agents are running`:"the limit of sub-agents is reache\
d"}.${Ii("concurrency_limit")}`,full:{active:o?.active,limit:o?.limit}}}catch(r){return this.runtime.report(r),{why:`the\
 host could not say whether a sub-agent may start: ${j(A(r),bn)}.`}}}modelOf({index:e,generation:n}){return this.runtime.
isClosed?void 0:this.runtime.call(r=>r.modelId(e,n))}};function Id(t){return new m("invalid_argument",`\`canSpawn\` must r\
eturn a boolean at once, it returned ${t}`,{argument:"canSpawn"})}i(Id,"noBoolean");function _d(t){return t?.aborted===!0}
i(_d,"hasFired");function Pd(t){return/[.!?…]$/u.test(t)?t:`${t}.`}i(Pd,"sentence");function Ii(t){return Ur[t]===void 0?
"":` ${Ur[t]}`}i(Ii,"adviceOn");function _i(t,e){let n=yi(e,t);if("mistakes"in n)return n;let{given:r,params:o,leftOut:s}=n;return{params:s.length===0?r:
Nd(r,s),checked:o}}i(_i,"checkArguments");function Nd(t,e){let n=Object.getOwnPropertyDescriptors(t);for(let r of e)delete n[r];
return Object.create(Object.getPrototypeOf(t),n)}i(Nd,"without");function Pi(t,e){return Cd(t,Oe,{},e)}i(Pi,"makeTool");function Cd(t,e,n,r,o=!1){let{names:s,descriptions:a}=t.agents,u=Md(
r.parameters,s),d=bi(u),l=s.length===0?r.description:`${r.description}

What \`agent\` may name:
${a}`,c=i(f=>_i(f,d),"check");return $d(new Tt(t,e,n,{},o),{name:r.name,description:l,schema:u,fields:d,check:c})}i(Cd,"\
assemble");function Md(t,e){if(e.length===0)return{...t};let n={type:"string",enum:e,description:"What kind of sub-agent\
. Leave it out for a general one."};return{...t,properties:{...t.properties,agent:n}}}i(Md,"withAgents");function $d(t,e,n){
let{name:r,description:o,schema:s,fields:a,check:u}=e;return Ai(t.runtime,{name:r,label:"Sub-agent",description:o,schema:s,
fields:a,check:i(d=>u(d),"check"),async call(d,l){let c=u(d);return n?.(c,l)??t.run(c,l)},detailsOf:i(({taskId:d,turn:l})=>({
taskId:d,background:!1,status:"running",durationMs:null,turns:l,cost:null}),"detailsOf")})}i($d,"spawnTool");var Ni="the manager has been disposed",Rt=class{constructor(e,n,r,o){this.agents=new ye(void 0);this.profiles=new ke(void 0);
this.journal=void 0;this.ahead=0;this.seeded=!1;this.idKey=void 0;this.reporting=i(e=>this.report(e),"reporting");this.runs=
new wt(this);this.waits=new St(this);this.lookup=new ft(this);this.refusals=new ut(this);this.sessionData=new xt(this);this.
contexts=new Cn({answered:i(e=>this.call(n=>n.messageNumber(e)),"answered"),waits:i((e,n,r)=>this.call(o=>o.messageWaits(
e,n,r)),"waits")});this.pins=new bt(this);this.wakes=new At(this);this.readers=new yt(this);this.signals=new ct;this.unknownNames=
new pt(this.reporting);this.denials=new Mn;this.following=o,this.functions=n,this.runMaker=r,this.door=new st(this);let s=We(
this.door);this.alarm=new re(Dd(s),Fd(s),this.contexts.opening),this.keepAlive=new gt(this.alarm,this),this.host=Us(this,
this.door,this.alarm),this.core=new e.SubAgentCore(this.host),e.onFailure=a=>this.poison(a),this.scratch=new dt(this.core,
e.memory),this.hosts=new ht(this,this.scratch,this.alarm),this.listeners=new it(this,this.scratch),this.gates=new Le(this,
{},{})}static{i(this,"Runtime")}check(){if(this.closed!==void 0)throw this.isDisposed?new m("disposed",Ni):this.closed}get isClosed(){
return this.closed!==void 0}get isDisposed(){return this.closed?.code==="disposed"}call(e){this.check();let n=z(this);try{
return e(this.core)}catch(r){throw this.poison(r)}finally{Q(n)}}carryOut(){if(this.closed!==void 0)return;if(this.journal?.
isSync===!0){this.journal.carryOut();return}if(this.isPutOff(()=>this.carryOut()))return;let e=z(this);try{this.core.carryOut()}catch(n){
this.poison(n)}finally{Q(e)}}act(e){let n=this.call(e);return this.carryOut(),this.expectSound(),n}order(e){if(!this.call(
e))throw this.refusal();this.carryOut(),this.expectSound()}expectSound(){if(this.closed!==void 0&&!this.isDisposed)throw this.
closed}unasked(e){if(this.closed!==void 0)return;let n=z(this);try{return e(this.core)}catch(r){this.poison(r);return}finally{
Q(n)}}alone(e){e.catch(n=>{n!==this.closed&&!(this.isDisposed&&He(n,"disposed"))&&this.report(n)})}refusal(){let{code:e,
message:n,told:r,details:o}=this.call(s=>s.refusal());return this.carryOut(),wn(new m(e,n,o),r)}ask(e){if(!this.call(e))
throw this.refusal()}together(e){if(this.journal?.isSync===!0)return this.journal.together(e);let n=this.call(r=>r.keepBack());
try{return e()}finally{let r=i(()=>{this.unasked(o=>o.goOn())},"goOn");n&&!this.isPutOff(r)&&this.call(o=>o.goOn())}}answer(e){
return this.journal===void 0?Promise.resolve(e):this.journal.answer(e)}onceKept(e){this.journal?.isSync===!0?this.alone(
this.journal.answer(void 0).then(e)):this.isPutOff(e)||e()}isPutOff(e){return this.journal?.isPutOff(e)===!0}write(e){try{
return this.scratch.write(e)}catch(n){throw this.poison(n)}}writeLeft(e){try{return this.scratch.writeLeft(e)}catch(n){throw this.
poison(n)}}wakeAt(e){this.isClosed||(this.alarm.set(e),this.hosts.keepAwake())}tick(){this.unasked(e=>e.tick(g())),this.
carryOut(),this.wakes.review(),this.readers.changed(),this.hosts.keepAwake(),this.runs.batchOver()}stoodStill(e,n){this.
unasked(r=>r.stoodStill(e,n))}makeRun(e){return this.runMaker(this,e)}consumerGate(e){return Pr(this,e)}makeTool(e){return Pi(
this,e)}startsStopped(){this.functions.onError!==void 0&&this.report(this.refusal())}stalled(){this.report(this.refusal())}report(e){
Ve(e);let{onError:n}=this.functions;n===void 0?Nt(e):Ct(n,Nt,e)}tell(e,n){Ct(e,this.reporting,n)}dispose(){this.end(new m(
"disposed",Ni),!0)}fail(e){this.end(e,!1),this.report(e)}end(e,n){if(this.closed===void 0){this.journal!==void 0&&n&&this.
unasked(r=>r.setAside()),this.close(e),Er(this);try{this.idKey=this.core.idKey(),this.core.dispose()}catch{}this.letGo()}}letGo(){
if(Bs()){queueMicrotask(()=>this.letGo());return}this.scratch.letGo(),this.core=void 0}poison(e){if(this.closed===void 0){
let n=new m("internal",`the manager's core failed: ${A(e)}${this.fullness()}`);this.close(n),Er(this),this.core.__destroy_into_raw(),
this.letGo()}return this.closed}fullness(){let e=this.scratch.memoryBytes/1e9;return e<1?"":`; it has ${e.toFixed(1)} GB\
 of memory, can have 4.3, and may have found no more: acknowledge notices, lower \`maxResultBytes\` or \`retain\`, and read \
lists and leases in pages`}close(e){this.closed=e,this.journal?.close(e),this.alarm.stop(),this.keepAlive.clear(),this.runs.
close(e),this.gates.close(),this.waits.rejectAll(e),this.listeners.clear(),this.refusals.clear(),this.sessionData.clear(),
this.contexts.clear(),this.hosts.elsewhere.clear(),this.wakes.clear(),this.readers.clear(),this.signals.clear()}};function Dd(t){
return()=>t.deref()?.runtime?.tick()}i(Dd,"tickThrough");function Fd(t){return(e,n)=>t.deref()?.runtime?.stoodStill(e,n)}
i(Fd,"stoodThrough");var Ci=["spawnSubAgent","spawnBackgroundSubAgent","checkConsumerSpawn","canSpawn","getConcurrencyInfo","getModelId","onE\
rror","countTokens","onWake"],Br={agents:i(t=>({agents:new ye(t)}),"agents"),asyncContext(t){if(typeof t!="boolean")throw y(
"`asyncContext`","a boolean",t);return{following:t}},bus(t,{onWake:e}){if(e!==void 0)throw de("`bus` and `onWake`","bus");
return{bus:Ls(t)}},mainLimits:i(t=>({mainLimits:Ud("mainLimits",t)}),"mainLimits"),modelId(t,{getModelId:e},n){let r=q("\
`modelId`",t);if(e!==void 0)throw de("`modelId` and `getModelId`","modelId");return n.getModelId=()=>r,{}},policies:i(t=>({
policies:Kd(t)}),"policies"),preset:i(()=>({}),"preset"),profiles:i(t=>({profiles:new ke(t)}),"profiles"),tools:i(t=>({tools:le(
"`tools`",t)}),"tools")},Gr={onParentEnd:i(t=>dr("onParentEnd",t),"onParentEnd"),retry:i(t=>Fn("retry",t),"retry")};function Mi(t,e,n,r){
let{functions:o,bounds:s,settings:a,tools:u,agents:d,profiles:l,policies:c,mainLimits:f,bus:p,following:b}=R("the option\
s of a manager",()=>Ld(e)),h=new Rt(t,o,n,new ot(b));h.agents=d,h.profiles=l,p!==void 0&&(h.functions.onWake=Fs(p,w=>{h.
isClosed||h.report(w)},w=>h.onceKept(w)));try{let w=i(S=>s.apply(h,a,S),"configure");r===void 0?w():r.begin(h,w),h.gates=
new Le(h,c,f),h.contexts.matter&&h.call(S=>S.tellForgotten()),u!==void 0&&h.order(S=>S.setTools(g(),S.defaultSession(),u));
let{blockedTools:x}=h.gates.sub;x.length>0&&h.order(S=>S.blockTools(g(),[...x])),u!==void 0&&x.length>0&&h.denials.report(
h,$n(h,h.core.defaultSession()),"blockedTools")}catch(w){throw h.dispose(),w}return h}i(Mi,"open");function Ld(t){let e=I(
"the options of a manager",t,"an object such as { spawnSubAgent }"),n={functions:{},bounds:new Hn,settings:{},tools:void 0,
agents:new ye(void 0),profiles:new ke(void 0),policies:{},mainLimits:{},bus:void 0,following:void 0};for(let[r,o]of Object.
entries(e))if(o!==void 0){if(Ci.includes(r)){if(typeof o!="function")throw y(`\`${r}\``,"a function",o);n.functions[r]=r===
"onWake"?Ne(o):o}else if(Object.hasOwn(Gr,r))n.settings[r]=Gr[r]?.(o);else if(Object.hasOwn(Br,r))Object.assign(n,Br[r]?.(
o,e,n.functions));else if(!n.bounds.take(r,o)){if(ns.includes(r)){let s=`\`${r}\` is an option of a manager with a store,\
 which \`await SubAgentManager.open({ store, … })\` makes`;throw new m("invalid_argument",s,{argument:r})}throw me("a \
manager",r,[...Ci,...es,...Object.keys(Gr),...Object.keys(Br)])}}return n.agents.checkProfiles(n.profiles),n}i(Ld,"read");
function Kd(t){if(Array.isArray(t))throw y("`policies`","an object with subAgents or main",t);let{subAgents:e,main:n,...r}=I(
"`policies`",t);return H("policies",r,["subAgents","main"]),{...e!==void 0&&{subAgents:e},...n!==void 0&&{main:n}}}i(Kd,
"policySets");function Ud(t,e){let{maxTurns:n,maxContextTokens:r,timeoutMs:o,...s}=I(`\`${t}\``,e);H(t,s,["maxTurns","ma\
xContextTokens","timeoutMs"]);let a={},u=$(`\`${t}.maxTurns\``,n),d=$(`\`${t}.maxContextTokens\``,r),l=Rn(`\`${t}.timeou\
tMs\``,o);return u!==void 0&&(a.maxTurns=u),d!==void 0&&(a.maxContextTokens=d),l!==void 0&&(a.timeoutMs=l),a}i(Ud,"mainL\
imitsOf");function Sw(t,e){return Mi(t,e,(n,r)=>new Nn(n,r))}i(Sw,"open");export{st as Door,Rm as abortRun,Fm as allTold,Mm as askDone,Us as attach,Km as consumerGate,z as enter,Lm as facts,Bs as isInside,
Q as leave,Um as makeTool,Sw as open,_m as policiesDue,Er as release,Dm as runEnded,Tm as runRetried,Nm as stalled,Om as startRun,
Pm as startsStopped,jm as taskClosed,Em as taskForgotten,vm as turnReady,$m as waitDone,Cm as wakeAt,Im as wakeSession};
