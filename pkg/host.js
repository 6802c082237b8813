var bo=Object.defineProperty;var i=(n,e)=>bo(n,"name",{value:e,configurable:!0});var Xt=Number.NaN,Zt,tr;function b(){return tr!==setTimeout&&yo(),Xt+Zt.now()}i(b,"now");function yo(){tr=setTimeout,Zt=
performance,Number.isNaN(Xt)&&(Xt=Date.now()-Zt.now())}i(yo,"lookUp");var nr=2147483647;function rr(n,e){return new Promise(
t=>{let r=e<=nr?setTimeout(t,e):void 0,s=i(()=>{clearTimeout(r),t()},"over");n.then(s,s)})}i(rr,"within");var ge=class{constructor(e){
this.at=0;this.keepsAlive=!1;this.ring=()=>{this.timer=void 0,b()<this.at?this.arm():e()}}static{i(this,"Alarm")}set(e){
this.at=e,this.timer!==void 0&&clearTimeout(this.timer),this.arm()}keepAlive(e){if(this.keepsAlive===e)return;this.keepsAlive=
e;let t=this.timer;e?t?.ref?.():t?.unref?.()}stop(){this.timer!==void 0&&clearTimeout(this.timer),this.timer=void 0}arm(){
this.timer=setTimeout(this.ring,Math.min(Math.max(Math.ceil(this.at-b()),1),nr)),this.keepsAlive||this.timer.unref?.()}};var sr=!1;function en(n){sr=n}i(en,"withinCore");function Ce(n){try{for(let e=n,t=0;e instanceof Error&&t<8;e=e.cause,t+=
1)e.stack}catch{}}i(Ce,"letStackGo");var m=class extends Error{constructor(t,r,s={},o){super(r,o);this.name="SubAgentErr\
or";this.code=t,this.details=s,sr&&Ce(this)}static{i(this,"SubAgentError")}};function ze(n,e){try{if(!(n instanceof Error)||
n.name!=="SubAgentError")return!1;let{code:t}=n;return e===void 0?typeof t=="string":t===e}catch{return!1}}i(ze,"isSubAg\
entError");var or=[[0,32],[127,160],[5760,5760],[8192,8202],[8232,8233],[8239,8239],[8287,8287],[12288,12288]],tn=[[173,173],[847,847],
[1564,1564],[4447,4448],[6068,6069],[6155,6159],[8203,8203],[8206,8207],[8234,8238],[8288,8303],[12644,12644],[65024,65037],
[65279,65279],[65440,65440],[65520,65531],[65534,65535],[113824,113827],[119155,119162],[917504,921599]],nn=[["'","’"],
['"',"’"],["`","’"],["“","‘"],["”","’"],["[","("],["]",")"],["<","‹"],[">","›"],["＇","’"],["＂","’"],
["｀","’"],["［","("],["］",")"],["＜","‹"],["＞","›"]],re=80,Qe=500,Xe=300,ir=80;function rn(n,e){return n.some(([t,r])=>t<=e&&e<=r)}i(rn,"isIn");var ar;function ko(){let n=nn.map(([r])=>r),t=`[${Array.
from({length:94},(r,s)=>String.fromCharCode(33+s)).filter(r=>!n.includes(r)).map(r=>`\\x${r.charCodeAt(0).toString(16)}`).
join("")}]+`;return new RegExp(`^${t}(?: ${t})*$`)}i(ko,"plainWords");function E(n,e=ir){if(ar??=ko(),n.length<=e&&ar.test(
n))return n;let t="",r=0,s=!1;for(let o of n){let a=o.codePointAt(0);if(rn(tn,a))continue;if(rn(or,a)){s=r>0;continue}let u=r+
(s?2:1);if(u>e)return`${t}…`;let d=a>=55296&&a<=57343?"�":nn.find(([l])=>l===o)?.[1]??o;t+=s?` ${d}`:d,s=!1,r=u}return t}
i(E,"quoted");function be(n){let e="";for(let t of JSON.stringify(n)){let r=t.codePointAt(0),s=r<127||r>160&&r!==8232&&r!==8233&&!rn(tn,
r);e+=s?t:wo(t)}return e}i(be,"jsonForModel");function wo(n){return Array.from({length:n.length},(e,t)=>`\\u${n.charCodeAt(
t).toString(16).padStart(4,"0")}`).join("")}i(wo,"escaped");var ur=new WeakMap;function Ze(n,e){return e!==n.message&&ur.set(n,e),n}i(Ze,"tellingModels");function Me(n){return ur.get(
n)??w(n)}i(Me,"toldOf");function g(n,e,t){let r=`${n} must be ${e}, got ${y(t)}`;return new m("invalid_argument",r,{argument:n.
replaceAll("`",""),expected:e})}i(g,"invalid");function y(n){return typeof n=="string"?n.length>40?`a string of ${n.length}\
 characters`:be(n):n==null||typeof n=="number"||typeof n=="boolean"?String(n):typeof n=="object"?xo(n):`a ${typeof n}`}i(
y,"describe");function xo(n){try{return Array.isArray(n)?n.length===0?"an empty list":"a list":"an object"}catch{return"\
an object"}}i(xo,"listOrObject");function w(n){try{if(typeof n=="string")return n;if(n instanceof Error)return String(n.
message)||String(n.name)||"an error without a message";if(typeof n=="object"&&n!==null&&typeof n.message=="string")return n.
message}catch{}return`threw ${y(n)}`}i(w,"messageOf");var dr=new WeakMap;function cr(n){if(Ao(n))return n;let e=dr.get(n);if(e===void 0){let t=new AbortController;n.addEventListener(
"abort",()=>lr(t,n),{once:!0}),dr.set(n,t),e=t}return n.aborted===!0&&lr(e,n),e.signal}i(cr,"tamed");function lr(n,e){let t;
try{({reason:t}=e)}catch(r){t=r}n.abort(t)}i(lr,"fire");var So=["aborted","reason","addEventListener","removeEventListen\
er"];function Ao(n){return Object.getPrototypeOf(n)===AbortSignal.prototype&&!So.some(e=>Object.hasOwn(n,e))}i(Ao,"isPla\
tforms");var fr={prompt:"instructions",input:"instructions",concurrency:"maxConcurrent",maxsteps:"maxTurns",maxretries:"retry",abortsignal:"\
signal",runinbackground:"background",name:"nickname"};function et(n,e){let t=sn(n);if(t.length>40)return;let r,s=Number.
POSITIVE_INFINITY,o=Object.hasOwn(fr,t)?sn(fr[t]):void 0;for(let a of e){let u=sn(a);if(u===o)return a;let d=Oo(t,u);d>=
s||(s=d,r=a)}return r}i(et,"nearestOf");function sn(n){return n.toLowerCase().replaceAll(/[_-]/g,"")}i(sn,"plain");function Oo(n,e){
let[t,r]=n.length<e.length?[n,e]:[e,n],s=To(n,e);return s<=Math.min(3,Math.floor(r.length/3))?s:t.length>=3&&r.startsWith(
t)?40+s:Number.POSITIVE_INFINITY}i(Oo,"distanceOf");function To(n,e){let t=[],r=Array.from({length:e.length+1},(s,o)=>o);
for(let s=1;s<=n.length;s+=1){let o=[s];for(let a=1;a<=e.length;a+=1){let u=n[s-1]===e[a-1],d=Math.min((r[a]??0)+1,(o[a-
1]??0)+1,(r[a-1]??0)+(u?0:1));s>1&&n[s-1]===e[a-2]&&n[s-2]===e[a-1]&&(d=Math.min(d,(t[a-2]??0)+1)),o.push(d)}[t,r]=[r,o]}
return r[e.length]??0}i(To,"editsOf");function se(n,e,t){return ye(`${n} has no option \`${e}\``,e,t,{argument:e})}i(se,"unknownOption");function U(n,e,t){let[
r]=Object.keys(e);if(r===void 0)return;let s=`${n}.${r}`;throw ye(`\`${n}\` has no \`${r}\``,r,t,{argument:s},`; it has ${t.
join(", ")}`)}i(U,"noOtherFields");function $e(n,e,t){return ye(`${n} has no \`${e}\``,e,t,{argument:e},`; it has ${t.join(
", ")}`)}i($e,"unknownField");function ye(n,e,t,r,s=""){let o=et(e,t);return o===void 0?new m("invalid_argument",n+s,r):
new m("invalid_argument",`${n}; did you mean \`${o}\`?`,{...r,suggestion:o})}i(ye,"unknownPart");var pr=100,mr=1048576,_=16777216;function v(n,e,t="an object"){return O(n,()=>{if(ke(n,e,t),Array.isArray(e))throw g(n,t,
e);let r=Object.create(null);for(let s of hr(e)){let o=Object.getOwnPropertyNames(s),a=Object.keys(s).length===o.length;
for(let u of o)!(u in r)&&(a||vo(s,u))&&(r[u]=e[u])}return r})}i(v,"optionsOf");function vo(n,e){let{enumerable:t,get:r}=Object.
getOwnPropertyDescriptor(n,e)??{};return t===!0||r!==void 0}i(vo,"isGiven");function hr(n){let e=[n],t=Object.getPrototypeOf(
n);for(;t!==null&&!jo(t);){if(e.push(t)>pr)throw new Error(`it inherits from more than ${pr} objects`);t=Object.getPrototypeOf(
t)}return e}i(hr,"levelsOf");function jo(n){return n===Object.prototype||Object.getPrototypeOf(n)===null&&Object.hasOwn(
n,"hasOwnProperty")}i(jo,"isRoot");function oe(n,e){return Y(n,e,n[e])}i(oe,"propertyOf");function Y(n,e,t){return t===void 0||
Object.hasOwn(n,e)||Object.getPrototypeOf(n)!==Object.prototype&&hr(n).some(s=>Object.hasOwn(s,e))?t:void 0}i(Y,"ownOf");
function ke(n,e,t="an object"){if(typeof e=="object"&&e!==null)return e;throw g(n,t,e)}i(ke,"objectOf");function F(n,e,t,r){
return O(n,()=>{if(!Array.isArray(t))throw g(n,e,t);let{length:s}=t;if(!(s<=mr))throw g(n,`a list of at most ${mr} entri\
es`,s);let o=[];for(let a=0;a<s;a+=1){let u=n.endsWith("`")?`${n.slice(0,-1)}[${a}]\``:`${n}[${a}]`;o.push(r(Object.hasOwn(
t,a)?O(u,()=>t[a]):void 0,u))}return o})}i(F,"listOf");function gr(n,e){return F(n,"a list",e,t=>t)}i(gr,"entriesOf");function on(n){
return typeof n=="string"&&n.length<=_}i(on,"isText");function N(n,e){if(on(e))return e;throw g(n,typeof e=="string"?`a \
text of at most ${_} characters`:"a string",e)}i(N,"textOf");function we(n,e){let t=N(n,e);if(an(t))return t;throw g(n,"\
well-formed text, as `toWellFormed()` makes it",e)}i(we,"nameOf");function an(n){return n.isWellFormed?.()??!Eo.test(n)}
i(an,"isWellFormed");var Eo=/[\ud800-\udfff]/u;function un(n,e,t,r=`the options of ${n}`){return O(r,()=>{let s=v(r,e),o=Object.
keys(s).find(a=>!t.includes(a));if(o!==void 0)throw se(n,o,t);return s})}i(un,"knownOptions");function z(n,e){return new m(
"invalid_argument",`${n} say the same: give one`,{argument:e})}i(z,"saidTwice");function O(n,e){try{return e()}catch(t){
throw dn(n,t)}}i(O,"readArgument");function dn(n,e){return ln(e)?e:new m("invalid_argument",`${n} can't be read: ${w(e)}`,
{argument:n.replaceAll("`","")},{cause:e})}i(dn,"unreadable");function ln(n){try{return n instanceof m}catch{return!1}}i(
ln,"isOurs");function tt(n,e){if(e!==void 0)return O(n,()=>{let{aborted:t,addEventListener:r,removeEventListener:s}=Object(
e);if(typeof t=="boolean"&&typeof r=="function"&&typeof s=="function")return cr(e);throw g(n,"an AbortSignal",e)})}i(tt,
"signalOf");var Io=100,Po=500,_o=["completed","cancelled","blocked_on_user"];function No({status:n="pending"}){return!_o.includes(n)}
i(No,"isOpenTodo");function br(n){let e=0,t=[],r=F("`todos`","a list of { content, status }",n,(s,o)=>{let{content:a,description:u,
status:d="pending"}=Object(s),l=a??u;if(typeof l!="string")throw g(`the \`content\` or \`description\` of ${o}`,"a strin\
g",l);if(typeof d!="string")throw g(`the \`status\` of ${o}`,"a string",d);return{content:l,status:d}});for(let{content:s,
status:o}of r){let a={content:nt(s,Po),status:nt(o,40)};No(a)&&(e+=1),t.length<Io&&t.push(a)}return{open:e,json:JSON.stringify(
t)}}i(br,"readTodos");function yr(n,{index:e,generation:t,run:r},{open:s,json:o}){let a=n.write(o);n.act(u=>u.todos(b(),
e,t,r,s,a))}i(yr,"reportTodos");function De(n){return n===""?[]:JSON.parse(n)}i(De,"parseTodos");function nt(n,e){return n.
length<=e?n:Array.from(n.slice(0,e*2)).slice(0,e).join("")}i(nt,"firstChars");var H=["pending","running","idle","completed","failed","timed_out","cancelled","interrupted","closed"],T=["finished","ho\
st_failed","host_threw","invalid_result","host_cancelled","host_timed_out","timeout","idle_timeout","max_turns","budget_\
exhausted","cancelled","ancestor_cancelled","parent_ended","interrupted","closed","signal_aborted","drained","policy","m\
arked_failed","host_lost","never_reported"],rt=["host_threw","host_failed","host_lost","invalid_result","host_timed_out",
"host_cancelled"];var cn=["before_spawn","before_start","before_turn","before_tool","after_tool","before_end","on_timeout"],fn=["inject","\
force_turn","block","finish"],Le=["adopt","wait","cancel"],st=["tokens","costUsd","turns"];function V(n,e){return e===void 0?void 0:N(n,e)}i(V,"string");function Q(n,e){return e===void 0?void 0:F(n,"a list of st\
rings",e,(t,r)=>N(r,t))}i(Q,"strings");function ot(n,e){return e===void 0?void 0:we(n,e)}i(ot,"name");function M(n,e,t=1){
if(e!==void 0){if(typeof e=="number"&&e>=t&&(Number.isInteger(e)||e===Number.POSITIVE_INFINITY))return e;throw g(n,`a wh\
ole number of at least ${t}, or Infinity`,e)}}i(M,"count");function xe(n,e){if(e!==void 0){if(typeof e=="number"&&e>0)return e;
throw g(n,"a number above 0, or Infinity",e)}}i(xe,"amount");function it(n,e,t=!1){if(e!==void 0){if(t&&e===0)return 0;if(typeof e==
"number"&&e>0)return Math.max(1,Math.round(e));throw g(n,`milliseconds ${t?"of at least":"above"} 0, or Infinity`,e)}}i(
it,"duration");function kr(n,e){if(e!==void 0){if(typeof e=="number"&&Number.isSafeInteger(e))return e;throw g(n,"a whol\
e number",e)}}i(kr,"integer");function Fe(n,e){if(e===void 0)return{};let t=v(`\`${n}\``,e,"an object with tokens, costU\
sd or turns"),{tokens:r,costUsd:s,turns:o,...a}=t;U(n,a,st);let u={},[d,l,c]=[M(`\`${n}.tokens\``,r),xe(`\`${n}.costUsd\``,
s),M(`\`${n}.turns\``,o)];return d!==void 0&&(u.tokens=d),l!==void 0&&(u.costUsd=l),c!==void 0&&(u.turns=c),u}i(Fe,"read\
Budget");function X(n){let e=n;return e.isWellFormed?.()===!1?e.toWellFormed?.()??n:n}i(X,"wellFormed");function at(n,e){let t=0;
for(let r=0;r<n.length;){let s=n.codePointAt(r);if(t+=s<128?1:s<2048?2:s<65536?3:4,t>e)return n.slice(0,r);r+=s>65535?2:
1}return n}i(at,"headOf");function ut(n,e,t,r={left:e}){let s=Math.max(0,r.left-e),o=JSON.stringify(n,(a,u)=>{if(r.left-=typeof u=="string"?u.length:
1,r.left<s)throw new Error(t);return u});if(o!==void 0&&o.length>e)throw new Error(t);return o}i(ut,"jsonWithin");var dt=20,Co=1e3;function Mo(n={left:2*_}){let e=_;return t=>{let r=ut(t,e,`the artifacts have more than ${_} characters`,
n);if(r===void 0)throw new Error(`JSON has no ${y(t)}`);return e=Math.max(0,e-r.length-1),r}}i(Mo,"artifactWriter");function wr(n,e,t){
let r=[],s=[],o={left:2*_},a=Mo(o),u=0;return F(n,"a list",e,(d,l)=>{if(u>=dt&&o.left===0){u+=1;return}try{s.push(a(d)),
r.push(d)}catch(c){u+=1,o.left=Math.max(0,o.left-Co),u<=dt&&t(`${l} was not kept: ${w(c)}`,l)}}),u>dt&&t(`${u-dt} more a\
rtifacts were not kept`,n),s.length===0?{artifacts:void 0,artifactsJson:void 0}:{artifacts:r,artifactsJson:`[${s.join(",")}\
]`}}i(wr,"readArtifacts");var W=Symbol("unreadable"),C=Symbol("unread"),xr={unreadable:i(()=>{},"unreadable")};function Sr(n,e){let t=n,r={usage:C,
status:C,output:C,value:C,artifacts:C,taskId:C,error:C};try{if(r.usage=t.usage,r.status=t.status,r.output=t.output,r.value=
t.value,r.artifacts=t.artifacts,r.taskId=t.taskId,r.error=t.error,Object.getPrototypeOf(t)===Object.prototype&&!Tr(Or))return r}catch(s){
Rr(t,r,s,e)}return vr(t,r,e),r}i(Sr,"fieldsOfResult");function Ar(n){let e=n,t={costUsd:C,cost:C,tokens:C,inputTokens:C,
outputTokens:C,turns:C,durationMs:C};try{if(t.costUsd=e.costUsd,t.cost=e.cost,t.tokens=e.tokens,t.inputTokens=e.inputTokens,
t.outputTokens=e.outputTokens,t.turns=e.turns,t.durationMs=e.durationMs,Object.getPrototypeOf(e)===Object.prototype&&!Tr(
Or))return t}catch(r){Rr(e,t,r,xr)}return vr(e,t,xr),t}i(Ar,"fieldsOfUsage");var Or={};function Tr(n){return"usage"in n||
"status"in n||"output"in n||"value"in n||"artifacts"in n||"taskId"in n||"error"in n||"costUsd"in n||"cost"in n||"tokens"in
n||"inputTokens"in n||"outputTokens"in n||"turns"in n||"durationMs"in n}i(Tr,"isOnPrototype");function Rr(n,e,t,r){let s=!1;
for(let o of Object.keys(e))if(e[o]===C){try{if(!s)throw t;e[o]=n[o]}catch(a){e[o]=W,r.unreadable(o,a)}s=!0}}i(Rr,"readA\
part");function vr(n,e,t){for(let r of Object.keys(e))if(e[r]!==W)try{e[r]=Y(n,r,e[r])}catch(s){e[r]=W,t.unreadable(r,s)}}
i(vr,"keepOwn");function Ae(n){if(typeof n!="object"||n===null)return yn(`spawnSubAgent must resolve to { output, status, usage }, it re\
solved to ${y(n)}`);let e=new mn,{usage:t,status:r,output:s,value:o,artifacts:a,taskId:u,error:d}=Sr(n,e),l=Z(t)?$o:Do(t,
e),c=Go(r,e),f="";typeof s=="string"?f=X(s):(!Z(s)||c===0&&(o===void 0||o===W))&&(e.wrong("output","a string",s),c===0&&
(c=5));let p=Z(a)||a===W?Ir:Bo(a,e);typeof u!="string"&&!Z(u)&&e.wrong("taskId","a string",u);let h=Z(d)||d===""||d===W?
void 0:X(pn(w(d)));return{how:c,output:f,error:e.after(h),cause:e.cause??(h!==void 0&&typeof d=="object"?d:void 0),hostStatus:typeof r==
"string"&&r!=="completed"?pn(r):void 0,hostTaskId:typeof u=="string"&&u!==""?pn(u):void 0,artifacts:p.artifacts,artifactsJson:p.
artifactsJson,value:o===W?void 0:o,valueJson:void 0,tokens:l.tokens,cost:l.cost,turns:l.turns,durationMs:l.durationMs}}i(
Ae,"readResult");var mn=class{constructor(){this.cause=void 0;this.sentences=void 0}static{i(this,"Lost")}unreadable(e,t){
this.sentences===void 0&&(this.cause=t),this.add(`the result's ${e} can't be read: ${w(t)}`)}wrong(e,t,r){r!==W&&this.add(
`the result's ${e} must be ${t}, got ${y(r)}`)}add(e){this.sentences??=[],this.sentences.push(e)}after(e){return this.sentences===
void 0?e:[...e===void 0?[]:[e],...this.sentences].join("; ")}};function Z(n){return n==null}i(Z,"isAbsent");var $o={tokens:-1,
cost:-1,turns:-1,durationMs:-1},Er={tokens:Number.NaN,cost:Number.NaN,turns:Number.NaN,durationMs:-1};function Do(n,e){if(typeof n!=
"object"||n===null||!Wo(n))return e.wrong("usage","{ tokens, costUsd, turns }",n),Er;let t=Ar(n),r=gn(t.tokens,t.inputTokens,
t.outputTokens),s=q(Z(t.costUsd)?t.cost:t.costUsd),o=q(t.turns),a=q(t.durationMs),u={tokens:r,cost:s,turns:o,durationMs:a};
return r!==-1&&s!==-1||!Lo(n,t)?u:Ko(u,Uo(n),e)}i(Do,"readUsage");function Lo(n,{tokens:e,inputTokens:t,outputTokens:r,costUsd:s,
cost:o,turns:a,durationMs:u}){let d=0;for(let l of[e,t,r,s,o,a,u])Z(l)||(d+=1);try{return Object.keys(n).length>d}catch{
return!0}}i(Lo,"hasOthers");var Fo=new Set(["tokens","inputTokens","outputTokens","costUsd","cost","turns","durationMs"]);
function Ko(n,e,t){let r=e.filter(p=>!Fo.has(p)),{tokens:s,cost:o,turns:a,durationMs:u}=n,d=s===-1&&o===-1&&a===-1&&u===
-1,l=s===-1&&r.some(p=>d||/token/i.test(p)),c=o===-1&&r.some(p=>d||/cost|usd|dollar|price/i.test(p));if(!l&&!c)return n;
let f=r.slice(0,5).map(y).join(", ");return t.add(`the result's usage has ${f}: what was used goes by tokens, costUsd, t\
urns`),d?Er:{...n,...l&&{tokens:Number.NaN},...c&&{cost:Number.NaN}}}i(Ko,"misnamed");function Uo(n){try{return Object.entries(
n).flatMap(([e,t])=>Z(t)?[]:[e])}catch{return[]}}i(Uo,"namesIn");function Wo(n){try{return!Array.isArray(n)&&typeof Y(n,
"then",n.then)!="function"}catch{return!1}}i(Wo,"isUsage");var Ir={artifacts:void 0,artifactsJson:void 0};function Bo(n,e){
try{return wr("artifacts",n,t=>e.add(t))}catch(t){return e.add(w(t)),Ir}}i(Bo,"readArtifactsOf");function pn(n){return n.
length>_?n.slice(0,_):n}i(pn,"cut");function Pr(n,e,t){if(n.how!==0)return n;let r=e.check(n.value,t);return r instanceof
Promise?r.then(s=>jr(n,s)):jr(n,r)}i(Pr,"checkValue");function jr(n,e){if("wrong"in e){let s=[e.wrong,...n.error===void 0?
[]:[n.error]].join("; ");return{...n,how:5,error:s,value:void 0}}let{value:t,json:r}=e;return{...n,value:t,valueJson:r,output:n.
output||r}}i(jr,"judged");function q(n){return n==null?-1:typeof n=="number"&&n>=0?n:Number.NaN}i(q,"reading");function gn(n,e,t){
let r=q(n);if(r!==-1)return r;let[s,o]=[q(e),q(t)];return s===-1&&o===-1?-1:(s===-1?0:s)+(o===-1?0:o)}i(gn,"totalTokens");
function Go(n,e){switch(n){case void 0:case null:case"completed":return 0;case"failed":case"error":return 1;case"cancell\
ed":case"aborted":return 2;case"timed_out":case"timeout":return 3;default:return typeof n!="string"&&e.wrong("status","a\
 string",n),n===W?5:0}}i(Go,"statusOf");function bn(n,e){return{...Jo,how:n,...e}}i(bn,"endedAs");var Jo={how:0,output:"",
error:void 0,cause:void 0,hostStatus:void 0,hostTaskId:void 0,artifacts:void 0,artifactsJson:void 0,value:void 0,valueJson:void 0,
tokens:-1,cost:-1,turns:-1,durationMs:-1};function yn(n,e){return bn(5,{error:n,cause:e})}i(yn,"invalidResult");function Oe(){
return bn(0,{tokens:0,cost:0,turns:0})}i(Oe,"nothing");function lt(n,e){return bn(ze(e,"worker_lost")?6:4,{error:n,cause:e})}
i(lt,"threw");var Ho=["tokens","inputTokens","outputTokens","costUsd","contextTokens","message","todos"];function _r(n){return O("a re\
port",()=>{let{tokens:e,inputTokens:t,outputTokens:r,costUsd:s,contextTokens:o,message:a,todos:u,...d}=v("a report",n),l=gn(
e,t,r);for(let c of Object.keys(d))throw $e("a report",c,Ho);return a!==void 0&&N("`message`",a),{tokens:l,costUsd:q(s),
contextTokens:q(o),message:a,todos:u===void 0?void 0:br(u)}})}i(_r,"readReport");var kn={taskId:null,label:null,parentId:null,metadata:null,sessionKey:null};function wn(n){return n===0?[]:st.filter((e,t)=>(n&
1<<t)!==0)}i(wn,"dimensionsOf");var ct=class{constructor(e){this.decoder=new TextDecoder("utf-8",{ignoreBOM:!0});this.admittedIndex=
0;this.admittedGeneration=0;this.index=0;this.generation=0;this.ofRun=0;this.subjects=e}static{i(this,"FactFields")}hasSince(e){
return!0}flag(){return this.byte()===1}json(){return JSON.parse(this.text())}task(){return this.idAt(this.number(),this.
number())}newTask(){return this.admittedIndex=this.number(),this.admittedGeneration=this.number(),this.idAt(this.admittedIndex,
this.admittedGeneration)}subject(){if(this.index=this.number(),this.generation=this.number(),this.index<=1)return kn;let e=this.
subjects.subjectOf(this.index,this.generation);return this.refresh(),e}run(){return this.ofRun=this.number(),this.ofRun}taskText(){
return this.known(this.subjects.textOf?.(this.admittedIndex,this.admittedGeneration))}output(){return this.known(this.subjects.
outputOf?.(this.index,this.generation,this.ofRun))}dollars(){return this.number()/1e9}instant(){return this.number()||null}amounts(){
return{tokens:this.number(),costUsd:this.dollars(),turns:this.number()}}dimensions(){return wn(this.byte())}name(e){return e[this.
byte()]}list(e){let t=[];for(let r=this.number();r>0;r-=1)t.push(e());return t}idAt(e,t){if(e<=1)return null;let r=this.
subjects.idOf(e,t);return this.refresh(),r}known(e){return e===void 0?this.text():(this.skipText(),e)}};var Vo=2**64-2048,qo={idOf:i(()=>null,"idOf"),subjectOf:i(()=>kn,"subjectOf")},ft=class extends ct{constructor(t,r=qo,s=8){
super(r);this.at=0;this.bytes=t,this.form=s}static{i(this,"FactBytes")}get position(){return this.at}hasSince(t){return this.
form>=t}get isOver(){return this.at>=this.bytes.length}byte(){if(this.at>=this.bytes.length)throw new Error("a fact was \
cut off");return this.bytes[this.at++]}number(){let t=this.byte();if(t<128)return t;let r=t-128,s=128;for(;;){let o=this.
byte();if(o<128)return r+=o*s,r>=Vo?Number.POSITIVE_INFINITY:r;r+=(o-128)*s,s*=128}}signed(){let t=this.number();return t%
2===0?t/2:-(t+1)/2}text(){let t=this.pass();return t===this.at?"":this.decoder.decode(this.bytes.subarray(t,this.at))}skipText(){
this.pass()}refresh(){}pass(){let t=this.number(),r=this.at;if(this.at+=t,this.at>this.bytes.length)throw new Error("a f\
act was cut off");return r}};var Yo=i(n=>({max:n.number(),backoffMs:n.number(),on:n.list(()=>n.name(T))}),"retry"),Nr=i(n=>({label:n.flag()?n.text():
null,nickname:n.flag()?n.text():null,contextHint:n.flag()?n.text():null,tools:n.flag()?n.list(()=>n.text()):null,systemPrompt:n.
flag()?n.text():null,profile:n.flag()?n.text():null,modelId:n.flag()?n.text():null,sourceAgentId:n.flag()?n.text():null,
maxTurns:n.flag()?n.number():null,timeoutMs:n.flag()?n.number():null,idleTimeoutMs:n.flag()?n.number():null,turnEstimate:n.
flag()?n.number():null,priority:n.flag()?n.signed():null,rateLimitKey:n.flag()?n.text():null,disallowedTools:n.flag()?n.
list(()=>n.text()):null,originChannel:n.flag()?n.text():null,originChatId:n.flag()?n.text():null,json:n.flag(),onParentEnd:n.
flag()?n.name(Le):null,metadata:n.flag()?n.json():null,retry:n.flag()?Yo(n):null,turnEstimateUsd:n.flag()?n.dollars():null}),
"spec");function Cr(n,e,t){let r={},{runtime:s,index:o,generation:a}=n,u=n.tools();if(u!==void 0&&!Qo(t?.tools,u)&&(r.tools=[...u]),
t?.maxTurns!==void 0||t?.maxCost!==void 0){let d=s.call(l=>l.runLimits(o,a));t.maxTurns!==void 0&&d!==void 0&&d.maxTurns<
t.maxTurns&&(r.maxTurns=d.maxTurns),t.maxCost!==void 0&&d!==void 0&&d.costUsd<t.maxCost&&(r.maxCost=d.costUsd)}return Object.
keys(r).length===0?e:zo(e,r)}i(Cr,"allowed");function zo(n,e){let t=Object.getOwnPropertyDescriptors(n);for(let[r,s]of Object.
entries(e))t[r]={value:s,enumerable:!0,writable:!0,configurable:!0};return Object.create(Object.getPrototypeOf(n),t)}i(zo,
"replaced");function Qo(n,e){return n?.length===e.length&&e.every((t,r)=>t===n[r])}i(Qo,"isSame");var pt="minimal",ie=[{names:["instructions","goal","message","task","taskDescription","task_description"],kind:"instruct\
ions"},{names:["label"],kind:"label",staged:"label"},{names:["nickname"],kind:"name",staged:"nickname"},{names:["context\
Hint"],kind:"text",staged:"contextHint",isDefined:!0},{names:["tools"],kind:"texts",staged:"tools",isDefined:!0},{names:[
"systemPrompt"],kind:"text",staged:"systemPrompt"},{names:["profile","promptProfile"],kind:"reference",staged:"profile",
isDefined:!0},{names:["modelId"],kind:"text",staged:"modelId"},{names:["agent","agentId"],kind:"reference",staged:"sourc\
eAgentId"},{names:["maxTurns","maxSteps"],kind:"count",staged:"maxTurns",isDefined:!0},{names:["timeoutMs"],kind:"durati\
on",staged:"timeoutMs",isDefined:!0},{names:["idleTimeoutMs"],kind:"duration",staged:"idleTimeoutMs",isDefined:!0},{names:[
"turnEstimate"],kind:"count",staged:"turnEstimate",isDefined:!0},{names:["priority"],kind:"integer",staged:"priority",isDefined:!0},
{names:["rateLimitKey"],kind:"name",staged:"rateLimitKey",isDefined:!0},{names:["onParentEnd"],kind:"onParentEnd",staged:"\
onParentEnd"},{names:["metadata"],kind:"metadata",staged:"metadata"},{names:["retry"],kind:"retry",staged:"retry",isDefined:!0},
{names:["turnEstimateUsd"],kind:"dollars",staged:"turnEstimateUsd",isDefined:!0},{names:["maxCost"],kind:"dollars",isDefined:!0},
{names:["background"],kind:"flag",isDefined:!0},{names:["budget"],kind:"budget",isDefined:!0},{names:["idempotencyKey"],
kind:"once"},{names:["format"],kind:"format"},{names:["signal"],kind:"signal"},{names:["origin"],kind:"origin"},{names:[
"schema"],kind:"schema",isDefined:!0}];var Mr={tokens:Number.NaN,cost:Number.NaN},$r=new WeakMap;function mt(n,{reason:e}){return typeof e=="object"&&e!==null&&
$r.get(e)===n}i(mt,"isOfMove");function ae(n){return new m("aborted",`the run that ${n} is left to the next process`,{reason:"drained"})}i(ae,"leftBehi\
nd");function Dr(n){return n.code==="aborted"&&n.details.reason==="drained"}i(Dr,"isLeftBehind");function Xo(n){return Nr(
new ft(n))}i(Xo,"readGiven");var B=class n{constructor(e,t,r){this.index=0;this.generation=0;this.run=0;this.hostOpen=!1;
this.hostIsOver=!1;this.knowsTools=!1;this.result=void 0;this.returned=void 0;this.turn=void 0;this.agent=void 0;this.isAllowed=
!1;this.handed=void 0;this.controller=void 0;this.id=void 0;this.view=void 0;this.told=void 0;this.ownTools=void 0;this.
runtime=e,this.given=t,this.asked=r?.asked,this.text=r?.text,this.isBackground=r?.background,this.shownAs=r===void 0?void 0:
r.staged?.json===!0?"json":"text",this.ownCheck=r?.schema}static{i(this,"ActiveRun")}static standAlone(){Object.setPrototypeOf(
n.prototype,null)}get format(){return this.shownAs??=this.snapshot().format,this.shownAs}get background(){return this.isBackground??=
this.snapshot().background,this.isBackground}get check(){let{journal:e,sessionData:t,agents:r}=this.runtime,s=this.ownCheck??
t.checkOf(this.index,this.generation);return s===void 0&&e?.goesOn===!0?r.checkOf(this.brief().sourceAgentId):s}get first(){
return this.firstRun??1}readFirst(){this.firstRun=this.runtime.call(e=>e.firstAttempt(this.index,this.generation,this.run))}get taskId(){
return this.id??=this.runtime.lookup.taskId(this.index,this.generation),this.id}get latest(){let e=this;for(;e.successor!==
void 0;)e=e.successor;return e}nextAttempt(e){let t=new n(this.runtime,this.given);return t.index=this.index,t.generation=
this.generation,t.run=this.run+1,t.text=this.text,t.isBackground=this.isBackground,t.shownAs=this.shownAs,t.ownCheck=this.
ownCheck,t.watch=this.watch,t.before=this.returned,t.previousError={reason:e,error:this.returned?.error??null},[t.followers,
this.followers]=[this.followers,void 0],[t.unfollow,this.unfollow]=[this.unfollow,void 0],this.named?.resolve(),this.successor=
t,t}follow(e){this.followers??=[],this.followers.push(e)}expectName(){let e=i(()=>{},"resolve"),t=new Promise(r=>{e=r});
this.named={promise:t,resolve:e}}takeStart(){let{starting:e}=this;return e!==void 0&&(this.starting=void 0),e}params(){return this.
isAllowed||this.allow(),this.given}allow(){this.given===void 0?this.given=this.madeParams():(this.knowsTools||this.asked!==
void 0)&&(this.given=Cr(this,this.given,this.asked)),this.isAllowed=!0}madeParams(){let{tools:e,systemPrompt:t,maxTurns:r,
background:s}=this.snapshot(),o={instructions:this.prompt(),maxTurns:r,background:s,...e&&{tools:e},...t&&{systemPrompt:t}};
return{...this.keptParams(),...o}}keptParams(){let e={},t=this.runtime.call(s=>s.given(this.index,this.generation));if(t!==
void 0){let s=Xo(t);for(let{names:o,staged:a}of ie)a!==void 0&&s[a]!==null&&(e[o[0]]=s[a]);s.json&&(e.format="json"),s.originChannel!==
null&&(e.origin={channel:s.originChannel,chatId:s.originChatId})}let r=Object.entries(this.snapshot().budget).flatMap(([
s,{cap:o}])=>Number.isFinite(o)?[[s,o]]:[]);if(r.length>0){let s=Object.fromEntries(r);e.budget=s,s.costUsd!==void 0&&(e.
maxCost=s.costUsd)}return e}handedRun(){return this.handed??=this.runtime.makeRun(this),this.handed}prompt(){return this.
text??this.runtime.call(e=>e.message(this.index))}snapshot(){return this.view??=this.runtime.lookup.snapshot(this.index,
this.generation),this.view}tools(){if(this.knowsTools)return this.ownTools??=this.runtime.call(e=>e.toolsOf(this.index,this.
generation))??this.snapshot().tools,this.ownTools??void 0}brief(){return this.told??=this.runtime.lookup.brief(this.index,
this.generation),this.told}get signal(){return this.controller===void 0&&(this.controller=new AbortController,this.aborted!==
void 0&&this.controller.abort(this.abortError(this.aborted))),this.controller.signal}abort(e){this.aborted=e,this.controller?.
abort(this.abortError(e)),this.stopping?.(e)}whenAborted(e){this.aborted!==void 0?e(this.aborted):this.stopping=e}abortError(e){
let t=new m("aborted",`the sub-agent was told to stop: ${e}`,{reason:e});return this.isLeft&&$r.set(t,this.runtime),t}get isLeft(){
return this.aborted==="drained"&&this.runtime.journal?.leavesRuns===!0}};function Lr(n,e,t){let r,s=Mr;try{t!==void 0&&(s=ti(t));let a=e.agent;if(e.turn!==void 0||a?.asksForTurn===!0)throw new m(
"invalid_argument","the last beforeTurn has not answered yet");let{gates:u,runs:d}=n;u.sub.has("before_turn")||a?.hasInjected===
!0?r=u.beforeTurn(u.agentOf(e),()=>d.takeTurn(e,s)):r=d.takeTurn(e,s)}catch(a){r=Promise.reject(a)}let o=n.answer(r);return e.
watch===void 0?o:ei(e,o)}i(Lr,"beforeTurn");async function ei(n,e){let t=await e;return t.go&&n.watch?.(n,{turn:t.turn}),
t}i(ei,"watched");function ti(n){return O("the options of beforeTurn",()=>{let{tokens:e,costUsd:t}=un("beforeTurn",n,["t\
okens","costUsd"]),r=t===0?0:xe("`costUsd`",t);return{tokens:M("`tokens`",e)??Number.NaN,cost:r??Number.NaN}})}i(ti,"est\
imateOf");function Fr(n,e,t){let{tokens:r,costUsd:s,contextTokens:o,message:a,todos:u}=_r(t);if(n.isClosed)return;a!==void 0&&
n.gates.agentOf(e).say(a);let d=a===void 0?-1:n.write(a),{index:l,generation:c,run:f}=e;n.act(p=>p.report(b(),l,c,f,r,s,
o,d)),u!==void 0&&yr(n,e,u),a!==void 0&&e.watch!==void 0&&n.onceKept(()=>e.watch?.(e,{message:a}))}i(Fr,"reportOn");var ht=class{static{i(this,"BareRun")}#e;#t;constructor(e,t){this.#e=e,this.#t=t}get taskId(){return this.#t.taskId}get run(){
return this.#t.run}get prompt(){return this.#t.prompt()}get signal(){return this.#t.signal}beforeTurn(e){return Lr(this.#e,
this.#t,e)}report(e){Fr(this.#e,this.#t,e)}};var ni={triggerAsyncId:void 0,requireManualDestroy:!1},ri=4294967296,Kr;function Wr(){return Kr??={capture:si(globalThis)},
Kr.capture}i(Wr,"capture");function si({process:n,AsyncLocalStorage:e,AsyncContext:t}){let r=Ur(oi(n))??Ur(e&&{AsyncLocalStorage:e});
if(r!==void 0)return r;let s=t?.Snapshot;if(typeof s=="function")return xn(()=>{let o=new s;return{runInAsyncScope:i((a,u,...d)=>o.
run(()=>a.apply(u,d)),"runInAsyncScope")}})}i(si,"find");function oi(n){try{return n?.getBuiltinModule?.("async_hooks")}catch{
return}}i(oi,"builtIn");function Ur(n){let{AsyncResource:e,AsyncLocalStorage:t}=n??{};if(typeof e=="function")return xn(
()=>new e("SubAgent",ni));if(typeof t?.snapshot=="function")return xn(()=>{let r=t.snapshot();return{runInAsyncScope:i((s,o,...a)=>r(
()=>s.apply(o,a)),"runInAsyncScope")}})}i(Ur,"captureOf");function xn(n){try{return n().runInAsyncScope(()=>!0)?n:void 0}catch{
return}}i(xn,"tried");function Sn(){return Wr()?.()}i(Sn,"present");function Te(n){let e=Sn();return e===void 0?n:((...t)=>e.
runInAsyncScope(n,void 0,...t))}i(Te,"bound");var gt=class{constructor(){this.kept=[];this.generations=[];this.capture=Wr();
this.opening=this.capture?.();this.entered=0}static{i(this,"Contexts")}get matter(){return this.capture!==void 0}keep(e,t){
this.capture!==void 0&&(this.kept[e]=this.capture(),this.generations[e]=t)}enter(e){let t=this.entered;return this.entered=
e,t}leave(e){this.entered=e}run(e,t,r,s){let o=this.generations[e]===t?this.kept[e]:this.opening;o===void 0||this.entered===
t*ri+e?r(s):o.runInAsyncScope(r,void 0,s)}taskForgotten(e,t){this.generations[e]===t&&(this.kept[e]=void 0)}clear(){this.
kept.length=0,this.generations.length=0}};var Br=16384,Gr=32;function Jr(n,e){if(e!==void 0){if(typeof e!="object"||e===null||Array.isArray(e))throw bt(n,"a plain\
 object of JSON values",e);return On(e,n,0,{left:Br,what:"metadata",most:Br})}}i(Jr,"readMetadata");function Hr(n){return n===null?null:JSON.parse(n)}i(Hr,"metadataOf");function bt(n,e,t){return g(`\`${n}\``,e,t)}i(bt,"w\
rong");function On(n,e,t,r){if(typeof n=="string"||typeof n=="boolean"||n===null)return An(JSON.stringify(n),r);if(typeof n==
"number"){if(!Number.isFinite(n))throw bt(e,"a number that JSON has",n);return An(JSON.stringify(n),r)}if(typeof n!="obj\
ect")throw bt(e,"a value that JSON has",n);if(t>=Gr)throw new m("invalid_argument",`\`${e}\` nests deeper than ${Gr} lev\
els`,{argument:e});if(r.left-=2,Array.isArray(n)){let a=[];for(let u=0;u<n.length;u+=1){if(!Object.hasOwn(n,u))throw bt(
`${e}[${u}]`,"a value that JSON has",void 0);a.push(On(n[u],`${e}[${u}]`,t+1,r))}return`[${a.join(",")}]`}let s=Object.getPrototypeOf(
n);if(s!==null&&Object.getPrototypeOf(s)!==null)throw new m("invalid_argument",`\`${e}\` must be a plain object of JSON v\
alues, got ${y(n)} of a class`,{argument:e});let o=[];for(let a of Object.keys(n)){let u=n[a];if(u===void 0)continue;let d=An(
JSON.stringify(a),r);o.push(`${d}:${On(u,/^[\w$]{1,40}$/.test(a)?`${e}.${a}`:`${e}[…]`,t+1,r)}`)}return`{${o.join(",")}\
}`}i(On,"jsonOf");function An(n,e){if(e.left-=n.length+1,e.left>=0)return n;let{what:t,most:r}=e,s=`\`${t}\` must have at\
 most ${r} characters of JSON: keep what is larger yourself, under the sub-agent's id`;throw new m("invalid_argument",s,
{argument:t,limit:r})}i(An,"spent");function yt(n,e){if(e===void 0)return;if(e===!1)return{max:0};let{max:t,backoffMs:r,on:s,...o}=v(`\`${n}\``,e);U(n,o,["m\
ax","backoffMs","on"]);let a=M(`\`${n}.max\``,t);if(a===void 0)throw g(`\`${n}.max\``,"a whole number of at least 1, or \
Infinity",t);let u={max:a};if(r!==void 0){if(typeof r!="number"||!(r>0)||!Number.isFinite(r))throw g(`\`${n}.backoffMs\``,
"milliseconds above 0",r);u.backoffMs=Math.max(1,Math.round(r))}if(s!==void 0){let d=`a list of ${rt.join(", ")}`;if(u.on=
F(`\`${n}.on\``,d,s,(l,c)=>{if(!rt.includes(l))throw g(c,`one of ${rt.join(", ")}`,l);return l}),u.on.length===0)throw g(
`\`${n}.on\``,d,s)}return u}i(yt,"readRetry");function P(n){return typeof n=="object"&&n!==null&&!Array.isArray(n)}i(P,"isObject");var Re=i((n,e)=>(t,r)=>typeof t=="n\
umber"&&!n(t)?`${r} must be ${e}`:void 0,"ofNumbers"),kt=i((n,e)=>(t,r)=>typeof t=="string"&&!n(t)?`${r} must have ${e}`:
void 0,"ofTexts"),wt=i((n,e)=>(t,r)=>Array.isArray(t)&&!n(t)?`${r} must have ${e}`:void 0,"ofLists"),Tn=i((n,e)=>(t,r)=>P(
t)&&!n(t)?`${r} must have ${e}`:void 0,"ofObjects"),xt=i(n=>(e,t)=>{if(P(e))for(let r of Object.keys(e)){let s=n(r,e[r],
t);if(s!==void 0)return s}},"eachField"),Rn=i(()=>{},"nothing"),vn=i((n,e,t)=>{let r=n.find(s=>!Object.hasOwn(e,s));return r===
void 0?void 0:`${Ue(t,r)} is missing`},"lacking");function Ke(n,e){if(Object.is(n,e)||n===e)return!0;if(Array.isArray(n)&&
Array.isArray(e))return n.length===e.length&&n.every((s,o)=>Ke(s,e[o]));if(!P(n)||!P(e))return!1;let[t,r]=[Object.keys(n),
Object.keys(e)];return t.length===r.length&&t.every(s=>Object.hasOwn(e,s)&&Ke(n[s],e[s]))}i(Ke,"same");function Vr(n){return JSON.
stringify(n,(e,t)=>P(t)?Object.fromEntries(Object.entries(t).sort(([r],[s])=>r<s?-1:1)):t)}i(Vr,"canonical");var jn=i(n=>[
...n].length,"points"),Ue=i((n,e)=>/^[A-Za-z_$][\w$]*$/.test(e)?`${n}.${e}`:`${n}[${JSON.stringify(e)}]`,"field");var ii=new Set(["$schema","$id","$comment","$defs","definitions","title","description","default","examples","deprecated",
"readOnly","writeOnly","format","contentEncoding","contentMediaType","contentSchema"]),En={string:i(n=>typeof n=="string",
"string"),number:i(n=>typeof n=="number","number"),integer:i(n=>Number.isInteger(n),"integer"),boolean:i(n=>typeof n=="b\
oolean","boolean"),null:i(n=>n===null,"null"),array:i(n=>Array.isArray(n),"array"),object:P};function Yr(n){return new In(
n).read(n,"")}i(Yr,"readJsonSchema");var In=class{static{i(this,"Reader")}#e;#t=new Map;constructor(e){this.#e=e}read(e,t){
if(e===!0)return()=>{};if(e===!1)return(a,u)=>`${u} must not be there`;if(!P(e))throw L(t,`must be an object or a boolea\
n, got ${y(e)}`);let r=this.#t.get(e);if(r!==void 0)return r;let s=[],o=i((a,u)=>{for(let d of s){let l=d(a,u);if(l!==void 0)
return l}},"check");this.#t.set(e,o);for(let a of Object.keys(e)){if(ii.has(a))continue;let u=Object.hasOwn(_n,a)?_n[a]:
void 0;if(u===void 0)throw L(t,`has \`${a}\`, which is not checked here; it may have ${di}`);s.push(u({reader:this,schema:e,
place:`${t}/${a}`,given:e[a]}))}return o}find(e,t){if(e==="#")return this.#e;if(!e.startsWith("#/"))throw L(t,`refers to\
 ${y(e)}; only references within the schema are read`);let r=this.#e;for(let s of e.slice(2).split("/")){let o=s.replaceAll(
"~1","/").replaceAll("~0","~");r=P(r)&&Object.hasOwn(r,o)?r[o]:void 0}if(r===void 0)throw L(t,`refers to ${y(e)}, which \
is not there`);return r}};function L(n,e){let t=n===""?"`schema`":`\`schema\` at ${n}`;return new m("invalid_argument",`${t}\
 ${e}`,{argument:"schema"})}i(L,"refused");function D({given:n,place:e},t=Number.NEGATIVE_INFINITY){if(typeof n=="number"&&
n>=t)return n;throw L(e,`must be a number${t===0?" of at least 0":""}, got ${y(n)}`)}i(D,"number");function zr({given:n,
place:e}){if(Array.isArray(n)&&n.length>0)return n;throw L(e,`must be a list that is not empty, got ${y(n)}`)}i(zr,"list");
function St(n){return zr(n).map((e,t)=>n.reader.read(e,`${n.place}/${t}`))}i(St,"checksOf");function At({given:n,place:e}){
if(P(n))return n;throw L(e,`must be an object, got ${y(n)}`)}i(At,"object");function qr(n,e){if(Array.isArray(n)&&n.every(
t=>typeof t=="string"))return n;throw L(e,"must be a list of names")}i(qr,"names");function Pn(n,e){try{return new RegExp(
n,"u")}catch(t){throw L(e,`is no regular expression: ${t.message}`)}}i(Pn,"pattern");var ai=i((n,e)=>P(n)?Object.keys(n).
map(t=>Pn(t,`${e}/patternProperties`)):[],"patternsIn"),_n={type({given:n,place:e}){let t=Array.isArray(n)?n:[n],r=t.map(
o=>typeof o=="string"&&Object.hasOwn(En,o)?En[o]:void 0);if(r.length===0||r.includes(void 0))throw L(e,`must be ${Object.
keys(En).join(", ")}, or a list of these; got ${y(n)}`);let s=t.join(" or ");return(o,a)=>r.some(u=>u?.(o))?void 0:`${a}\
 must be of the type ${s}, got ${y(o)}`},enum(n){let e=zr(n);return(t,r)=>e.some(s=>Ke(s,t))?void 0:`${r} must be one of\
 ${JSON.stringify(e)}`},const({given:n}){return(e,t)=>Ke(n,e)?void 0:`${t} must be ${JSON.stringify(n)}`},properties(n){
let e=Object.entries(At(n)).map(([t,r])=>[t,n.reader.read(r,`${n.place}/${t}`)]);return(t,r)=>{if(P(t))for(let[s,o]of e){
let a=Object.hasOwn(t,s)?o(t[s],Ue(r,s)):void 0;if(a!==void 0)return a}}},required({given:n,place:e}){let t=qr(n,e);return(r,s)=>P(
r)?vn(t,r,s):void 0},patternProperties(n){let e=Object.entries(At(n)).map(([t,r])=>[Pn(t,n.place),n.reader.read(r,`${n.place}\
/${t}`)]);return xt((t,r,s)=>{for(let[o,a]of e){let u=o.test(t)?a(r,Ue(s,t)):void 0;if(u!==void 0)return u}})},additionalProperties({
reader:n,schema:e,given:t,place:r}){let s=new Set(P(e.properties)?Object.keys(e.properties):[]),o=ai(e.patternProperties,
r),a=n.read(t,r),u=i(d=>s.has(d)||o.some(l=>l.test(d)),"isKnown");return xt((d,l,c)=>u(d)?void 0:a(l,Ue(c,d)))},propertyNames({
reader:n,given:e,place:t}){let r=n.read(e,t);return xt((s,o,a)=>r(s,`the name ${JSON.stringify(s)} in ${a}`))},dependentRequired(n){
let e=Object.entries(At(n)).map(([t,r])=>[t,qr(r,`${n.place}/${t}`)]);return(t,r)=>{if(P(t))return vn(e.flatMap(([s,o])=>Object.
hasOwn(t,s)?o:[]),t,r)}},dependentSchemas(n){let e=Object.entries(At(n)).map(([t,r])=>[t,n.reader.read(r,`${n.place}/${t}`)]);
return(t,r)=>{for(let[s,o]of e){let a=P(t)&&Object.hasOwn(t,s)?o(t,r):void 0;if(a!==void 0)return a}}},minProperties:i(n=>{
let e=D(n,0);return Tn(t=>Object.keys(t).length>=e,`at least ${e} fields`)},"minProperties"),maxProperties:i(n=>{let e=D(
n,0);return Tn(t=>Object.keys(t).length<=e,`at most ${e} fields`)},"maxProperties"),items({reader:n,schema:e,given:t,place:r}){
let s=Array.isArray(e.prefixItems)?e.prefixItems.length:0,o=n.read(t,r);return(a,u)=>{if(Array.isArray(a))for(let d=s;d<
a.length;d+=1){let l=o(a[d],`${u}[${d}]`);if(l!==void 0)return l}}},prefixItems(n){let e=St(n);return(t,r)=>{if(Array.isArray(
t))for(let[s,o]of e.entries()){let a=s<t.length?o(t[s],`${r}[${s}]`):void 0;if(a!==void 0)return a}}},contains({reader:n,
schema:e,given:t,place:r}){let s=n.read(t,r),o=i((d,l)=>{let c={reader:n,schema:e,place:`${r}/../${d}`,given:e[d]};return c.
given===void 0?l:D(c,0)},"bound"),[a,u]=[o("minContains",1),o("maxContains",Number.POSITIVE_INFINITY)];return(d,l)=>{if(!Array.
isArray(d))return;let c=d.filter((f,p)=>s(f,`${l}[${p}]`)===void 0).length;if(!(c>=a&&c<=u))return`${l} must have ${c<a?
`at least ${a}`:`at most ${u}`} of what it has to contain, it has ${c}`}},minContains:i(()=>Rn,"minContains"),maxContains:i(
()=>Rn,"maxContains"),minItems:i(n=>{let e=D(n,0);return wt(t=>t.length>=e,`at least ${e} entries`)},"minItems"),maxItems:i(
n=>{let e=D(n,0);return wt(t=>t.length<=e,`at most ${e} entries`)},"maxItems"),uniqueItems:i(({given:n})=>wt(e=>n!==!0||
new Set(e.map(Vr)).size===e.length,"no entry twice"),"uniqueItems"),minimum:i(n=>{let e=D(n);return Re(t=>t>=e,`at least\
 ${e}`)},"minimum"),maximum:i(n=>{let e=D(n);return Re(t=>t<=e,`at most ${e}`)},"maximum"),exclusiveMinimum:i(n=>{let e=D(
n);return Re(t=>t>e,`more than ${e}`)},"exclusiveMinimum"),exclusiveMaximum:i(n=>{let e=D(n);return Re(t=>t<e,`less than\
 ${e}`)},"exclusiveMaximum"),multipleOf:i(n=>{let e=D(n);if(e<=0)throw L(n.place,"must be above 0");return Re(i(r=>Math.
abs(r/e-Math.round(r/e))<1e-9,"isWhole"),`a multiple of ${e}`)},"multipleOf"),minLength:i(n=>{let e=D(n,0);return kt(t=>jn(
t)>=e,`at least ${e} characters`)},"minLength"),maxLength:i(n=>{let e=D(n,0);return kt(t=>jn(t)<=e,`at most ${e} charact\
ers`)},"maxLength"),pattern({given:n,place:e}){let t=Pn(n,e);return kt(r=>t.test(r),`the pattern ${t.source}`)},allOf(n){
let e=St(n);return(t,r)=>e.reduce((s,o)=>s??o(t,r),void 0)},anyOf(n){let e=St(n);return(t,r)=>{let s=e.map(o=>o(t,r));return s.
includes(void 0)?void 0:`${r} fits none of the alternatives: ${s.join("; ")}`}},oneOf(n){let e=St(n);return(t,r)=>{let s=e.
map(a=>a(t,r)),o=s.filter(a=>a===void 0).length;if(o!==1)return o>1?`${r} fits ${o} alternatives, not one`:`${r} fits no\
ne of the alternatives: ${s.join("; ")}`}},not({reader:n,given:e,place:t}){let r=n.read(e,t);return(s,o)=>r(s,o)===void 0?
`${o} must not be as it is`:void 0},$ref({reader:n,given:e,place:t}){if(typeof e!="string")throw L(t,`must be a text, go\
t ${y(e)}`);return n.read(n.find(e,t),e)}},ui=Object.keys(_n),di=ui.join(", ");function Qr(n){if(n===void 0)return;if((typeof n=="object"&&n!==null||typeof n=="function")&&"~standard"in n)return li(n);
if(typeof n!="object"||n===null||Array.isArray(n))throw g("`schema`","a Standard Schema or a JSON Schema object",n);let t=Yr(
n);return{schema:n,check(r,s){if(r===void 0)return Xr;let o=Zr(r,s);if("wrong"in o)return o;let a=JSON.parse(o.json);try{
let u=t(a,"value");return u===void 0?{value:a,json:o.json}:{wrong:u}}catch(u){return{wrong:`the schema failed: ${w(u)}`}}}}}
i(Qr,"readSchema");var Xr={wrong:"the result has no `value`, and its `schema` asks for one"};function li(n){let e=n["~st\
andard"],{validate:t}=typeof e=="object"&&e!==null?e:{};if(typeof t!="function")throw g("`schema`","a Standard Schema wi\
th `validate`",n);return{schema:n,check(r,s){if(r===void 0)return Xr;let o=i(u=>({wrong:`the schema failed: ${w(u)}`}),"\
failed"),a=i(u=>{try{return ci(u,s)}catch(d){return o(d)}},"judge");try{let u=t(r);return typeof u=="object"&&u!==null&&
typeof u.then=="function"?Promise.resolve(u).then(a,o):a(u)}catch(u){return o(u)}}}}i(li,"readStandard");function ci(n,e){
if(typeof n!="object"||n===null)return{wrong:`the schema failed: it answered ${y(n)}`};if(n.issues!==void 0)return{wrong:n.
issues.map(fi).join("; ")||"the schema refused the value"};let t=Zr(n.value,e);return"wrong"in t?t:{value:n.value,json:t.
json}}i(ci,"judged");function fi({message:n,path:e=[]}){return`value${e.map(r=>typeof r=="object"?r.key:r).map(String).map(
r=>/^\d+$/.test(r)?`[${r}]`:`.${r}`).join("")}: ${n}`}i(fi,"sayIssue");function Zr(n,e){let t=`as JSON, and \`maxResultBy\
tes\` allows ${e}`,r=Math.max(e,_),s;try{s=ut(n,r,`it has more than ${r} bytes ${t}`)}catch(a){return{wrong:`value is no\
 JSON: ${w(a)}`}}if(s===void 0)return{wrong:`value is no JSON: ${y(n)}`};let o=s.length*3<=e?s.length:new TextEncoder().
encode(s).length;return o>e?{wrong:`value has ${o} bytes ${t}`}:{json:s}}i(Zr,"store");function Ot(n){return n.staged??=ss({}),n.staged}i(Ot,"stagedBy");var We=new Map(ie.flatMap(({names:n,kind:e})=>n.map(t=>[
t,e]))),pi=i(()=>[...We.keys()].filter(n=>We.get(n)==="instructions"),"texts");function Be(n,e,t=!1){try{return mi(n,e,t)}catch(r){throw dn("the options of spawn",r)}}i(Be,"readSpawn");function mi(n,e,t){
let r=hi(n)?n:v("the options of spawn",n),s={text:void 0,renamed:!1,background:!1,manual:!1,answers:0,tokens:Number.NaN,
cost:Number.NaN,turns:Number.NaN,staged:void 0,asked:void 0,signal:void 0,schema:void 0,watch:void 0},o,a=!1;for(let u of Object.
getOwnPropertyNames(r))if(u==="instructions")s.text=rs(r,u,s.text);else if(u==="background"){let{background:d}=r;if(d!==
void 0&&typeof d!="boolean")throw g("`background`","a boolean",d);s.background=d===!0,a=d!==void 0}else if(We.has(u))ki(
s,r,u)||(o??={__proto__:null},o[u]=r[u]);else if(Object.prototype.propertyIsEnumerable.call(r,u))throw se("spawn",u,[...We.
keys()]);if(Number.isNaN(s.cost)||(s.asked=es(s,r)),o!==void 0||t&&!Number.isNaN(s.cost)){if(s.staged=ss(o??{}),s.asked=
es(s,r),t&&gi(s,s.staged),s.staged.idempotencyKey!==void 0&&(s.staged.parameters=bi(s)),e?.agents.fill(s,s.staged,a),s.staged.
onParentEnd!==void 0&&!s.background)throw new m("invalid_argument","`onParentEnd` is for `background: true`: others end \
with their caller",{argument:"onParentEnd"});s.staged.profile!==void 0&&e?.profiles.check(s.staged.profile)}return s}i(mi,
"read");function hi(n){return typeof n!="object"||n===null?!1:("instructions"in n,Object.getPrototypeOf(n)===Object.prototype)}
i(hi,"isPlain");function es({staged:n,cost:e},t){return{tools:n?.tools,maxTurns:Object.hasOwn(t,"maxTurns")?n?.maxTurns:
void 0,maxCost:Object.hasOwn(t,"maxCost")&&!Number.isNaN(e)?e:void 0}}i(es,"askedOf");function gi(n,e){e.wishedTurns=e.maxTurns,
e.maxTurns=void 0,!Number.isNaN(n.cost)&&(e.wishedCost=n.cost,n.cost=Number.NaN)}i(gi,"wish");function bi({signal:n,renamed:e,
asked:t,schema:r,staged:s,...o}){let{idempotencyKey:a,metadata:u,label:d,...l}=s;return JSON.stringify({...o,...l,...r&&
{schema:!0}},(c,f)=>typeof f=="number"?`${f}`:f)}i(bi,"parametersOf");function rs(n,e,t){let r=n[e];if(r===void 0)return t;
let s=on(r)?r:N(`\`${e}\``,r);if(t!==void 0)throw ts(e,`says the same as another option: give one of ${pi().join(", ")}`);
if(yi(s))throw ts(e,"must not be empty");return X(s)}i(rs,"readText");function ts(n,e){return new m("invalid_argument",`\
\`${n}\` ${e}`,{argument:n})}i(ts,"wrongText");function yi(n){let e=n.charCodeAt(0);return!(e>32&&e<127)&&n.trim()===""}
i(yi,"isBlank");function ki(n,e,t){switch(t){case"maxCost":{let r=xe("`maxCost`",e.maxCost);return r!==void 0&&(n.cost=ns(
n.cost,r,"maxCost")),!0}case"budget":{let r=Fe("budget",e.budget);return r.tokens!==void 0&&(n.tokens=r.tokens),r.costUsd!==
void 0&&(n.cost=ns(n.cost,r.costUsd,"budget.costUsd")),r.turns!==void 0&&(n.turns=r.turns),!0}case"schema":return n.schema=
Qr(e.schema),!0;case"signal":return n.signal=tt("`signal`",e.signal),!0;default:{if(We.get(t)!=="instructions")return!1;
let r=rs(e,t,n.text);return n.renamed||=r!==n.text,n.text=r,!0}}}i(ki,"readAtOnce");function ns(n,e,t){if(!Number.isNaN(
n))throw z("`maxCost` and `budget.costUsd`",t);return e}i(ns,"only");function ss(n){let e=Object.create(null);for(let{names:t,
staged:r,kind:s}of ie)if(r!==void 0)for(let o of t){let a=wi(s,o,n[o]);if(a!==void 0){if(e[r]!==void 0)throw z(`\`${t[0]}\
\` and \`${o}\``,o);e[r]=a}}return n.idempotencyKey!==void 0&&(e.idempotencyKey=ot("`idempotencyKey`",n.idempotencyKey)),
n.origin!==void 0&&Object.assign(e,xi(n.origin)),Si(n.format)==="json"&&(e.json=!0),e}i(ss,"readStaged");function wi(n,e,t){
if(t===void 0)return;let r=`\`${e}\``;switch(n){case"text":return V(r,t);case"label":return V(r,t)?.trim()===""?void 0:t;case"\
name":return ot(r,t);case"reference":return t===null?void 0:ot(r,t);case"texts":return Q(r,t);case"count":return M(r,t);case"\
dollars":return xe(r,t);case"duration":return it(r,t);case"integer":return kr(r,t);case"onParentEnd":if(!Le.includes(t))
throw g(r,`one of ${Le.join(", ")}`,t);return t;case"retry":return yt(e,t);case"metadata":return Jr(e,t);default:return}}
i(wi,"readPassed");function xi(n){let e=v("`origin`",n,"an object with channel and chatId"),{channel:t,chatId:r,...s}=e;
if(U("origin",s,["channel","chatId"]),t!==void 0&&(typeof t!="string"||t===""||t.includes(":")))throw g("`origin.channel\
`","a text without a colon",t);if(r!==void 0&&(typeof r!="string"||r===""))throw g("`origin.chatId`","a text",r);return{
originChannel:V("`origin.channel`",t),originChatId:V("`origin.chatId`",r)}}i(xi,"originOf");function Si(n){if(n===void 0||
n==="text"||n==="json")return n;throw g("`format`","'text' or 'json'",n)}i(Si,"formatOf");var os={description:!0,prompt:!0,model:!0,disallowedTools:!0},ue=class{static{i(this,"Agents")}#e=new Map;constructor(e){
if(e!==void 0)for(let[t,r]of Object.entries(v("`agents`",e,"an object of definitions")))this.#e.set(t,O(`\`agents.${t}\``,
()=>Ai(t,r)))}get names(){return[...this.#e.keys()]}get descriptions(){return[...this.#e].map(([e,{description:t}])=>`- ${e}\
: ${t}`).join(`
`)}checkOf(e){return this.#e.get(e??"")?.request.schema}checkProfiles(e){for(let[t,{staged:r}]of this.#e)if(r.profile!==
void 0)try{e.check(r.profile)}catch(s){let{code:o,message:a,details:u}=s;throw new m(o,`\`agents.${t}.profile\`: ${a}`,{
...u})}}fill(e,t,r){let{sourceAgentId:s}=t;if(s===void 0)return;let o=this.#e.get(s);if(o===void 0){let{names:d}=this,l=d.
length===0?"none is defined":`there are ${d.join(", ")}`;throw new m("unknown_agent",`there is no agent called ${y(s)}; ${l}`,
{agent:s,known:d})}let{request:a,staged:u}=o;Number.isNaN(e.tokens)&&(e.tokens=a.tokens),Number.isNaN(e.cost)&&(e.cost=a.
cost),Number.isNaN(e.turns)&&(e.turns=a.turns),r||(e.background=a.background),e.schema??=a.schema;for(let d of Object.keys(
u))t[d]===void 0&&(t[d]=u[d])}};function Ai(n,e){if(n==="")throw new m("invalid_argument","the name of an agent must not\
 be empty",{argument:"agents"});we("the name of an agent",n);let t=v(`\`agents.${n}\``,e),{description:r,prompt:s,model:o,
disallowedTools:a}=t;if(typeof r!="string"||r.trim()==="")throw g(`\`agents.${n}.description\``,"a text",r);let u=Object.
entries(t).filter(([c])=>!Object.hasOwn(os,c)),d=u.find(([c])=>!is.has(c))?.[0];if(d!==void 0)throw ye(`an agent has no \
\`${d}\`: \`agents.${n}\``,d,[...is,...Object.keys(os)],{argument:`agents.${n}.${d}`});let l=Object.fromEntries(u);s!==void 0&&
(l.systemPrompt=s),o!==void 0&&o!=="inherit"&&(l.modelId=o),l.agent=n;try{let c=Be(l),f=c.staged;return a!==void 0&&(f.disallowedTools=
Q("`disallowedTools`",a)),{description:r.trim(),request:c,staged:f}}catch(c){throw Oi(n,c)}}i(Ai,"read");function Oi(n,{
code:e,message:t,details:r}){let{argument:s}=r;if(s===void 0)return new m(e,`\`agents.${n}\`: ${t}`,{...r});let o=`agent\
s.${n}.${Ti[s]??s}`,a=t.startsWith(`\`${s}\``)?`\`${o}\`${t.slice(s.length+2)}`:`\`${o}\`: ${t}`;return new m(e,a,{...r,
argument:o})}i(Oi,"placed");var Ti={systemPrompt:"prompt",modelId:"model"},is=new Set(ie.flatMap(({names:[n],isDefined:e})=>e?
[n]:[]));var Ge={maxConcurrent:3,maxQueued:1e5,maxDepth:1,maxChildren:32,maxTasks:1e5,retain:1e3,maxSessions:1e4,maxAbandoned:16,
maxLost:5,maxTurns:20,turnEstimate:2e3,turnEstimateUsd:.25,wrapUpTokens:1e3,timeoutMs:18e5,graceMs:1e4,idleTimeoutMs:3e5,
abandonMs:6e4,askTimeoutMs:6e5,maxMessages:20,maxResultBytes:1048576,inlineBytes:16384,maxSummaryTokens:2e3,approvalTimeoutMs:6e5,
ageingMs:1e4,idempotencyTtlMs:864e5,maxIdempotencyKeys:1e5,staggerMs:0,maxCooldownMs:36e5,maxCooldowns:1e3,leaseMs:6e4,maxDeliveries:5,
maxNotices:1e5,maxInjected:32};var as;function $(n,e){as??=new Map(Object.keys(Ge).map((r,s)=>[r,s]));let t=as.get(e);return n.call(r=>r.limit(t))}i($,
"limitOf");var Tt={maxSubAgentSteps:"maxTurns"},us=[...Object.keys(Ge),...Object.keys(Tt),"budget","totalTokenBudget","taskBudget",
"onLimit"];function Ri(n){let e=Object.keys(Tt).filter(t=>Tt[t]===n);return[n,...e].map(t=>`\`${t}\``).join(", ")}i(Ri,"\
namesOf");var Rt=class{static{i(this,"Bounds")}#e=!1;#t=new Map;#n={};#r;#s;#o;take(e,t){let r=Tt[e]??e;if(e==="budget")
this.#n=Fe(e,t);else if(e==="totalTokenBudget")this.#r=M("`totalTokenBudget`",t);else if(e==="taskBudget")this.#s=Fe(e,t);else if(e===
"onLimit"){if(t!=="queue"&&t!=="reject")throw g("`onLimit`","'queue' or 'reject'",t);this.#o=t}else if(Object.hasOwn(Ge,
r))this.#i(e,r,t);else return!1;return this.#e=!0,!0}#i(e,t,r){if(typeof r!="number")throw g(`\`${e}\``,"a number",r);if(e!==
t&&M(`\`${e}\``,r),this.#t.has(t))throw new m("invalid_argument",`\`${t}\` and its alias say the same: give one of ${Ri(
t)}`,{argument:e});this.#t.set(t,r)}apply(e,t={},r){if(!this.#e&&Object.keys(t).length===0&&r===void 0)return;let s=this.#n;
if(this.#r!==void 0){if(s.tokens!==void 0)throw z("`totalTokenBudget` and `budget.tokens`","totalTokenBudget");s={...s,tokens:this.#r}}
let o={budget:s,taskBudget:this.#s,onLimit:this.#o},a={...t,limits:[...this.#t],...o};if(!e.call(d=>r===void 0?d.configure(
b(),a):r(d,a)))throw this.#a(e.refusal());e.carryOut(),e.expectSound()}#a(e){let{code:t,message:r,details:s}=e,o=[...this.#t].
find(([a])=>r.startsWith(`\`${a}\``));return o===void 0?e:new m(t,`${r}, got ${y(o[1])}`,{...s})}};function vi(n){return["You are a sub-agent: another agent gave you one task, and you see nothing else of its work.","- W\
ork on this task and on nothing else.","- You can not send messages to the user or ask them anything.",...n?[]:["- You c\
an not start sub-agents."],"- End with a clear and concise summary of what you did and what you found. It is all that th\
e other agent gets."].join(`
`)}i(vi,"minimal");var de=class{static{i(this,"Profiles")}#e=new Map([[pt,(e,t)=>vi(t)]]);constructor(e){if(e!==void 0)for(let[
t,r]of Object.entries(v("`profiles`",e,"an object of functions"))){if(we("the name of a profile",t),typeof r!="function")
throw g(`\`profiles.${t}\``,"a function that makes a system prompt",r);this.#e.set(t,s=>r(s()))}}get names(){return[...this.#e.
keys()]}check(e){if(this.#e.has(e))return;let t=[...this.#e.keys()];throw new m("unknown_profile",`there is no profile c\
alled ${y(e)}; there are ${t.join(", ")}`,{profile:e,known:t})}prompt(e,t,r){this.check(e);let s;try{s=this.#e.get(e)?.(
t,r)}catch(o){throw new m("invalid_argument",`the profile ${y(e)} failed: ${w(o)}`,{},{cause:o})}if(typeof s!="string")throw g(
`what the profile ${y(e)} returns`,"a string",s);return s}};var Kl=8<<20,ds=["store","durability","flushMs","compactBytes","onHostLost"];function vt(n){let e=n%512;return{turn:Math.floor(n/1024),injects:n%1024>=512,wrapUp:e===0?void 0:T[e-1]}}i(vt,"turnOf");function jt(n,e,t){let r=i(s=>!e||n.unknown.includes(s)||n.invalid.includes(s)?null:n[s],"known");return{tokens:r("token\
s"),costUsd:r("costUsd"),turns:r("turns"),durationMs:e?t:null}}i(jt,"figuresOf");function ls(n,e,t){let{actor:r,runtime:s}=n,o=n.policing(),a=n.isMain?void 0:s.lookup.snapshot(r.index,r.generation),u=a===
void 0?fs:jt(a.usage,a.startedAt!==null,a.durationMs);return{taskId:a?.taskId??null,status:e,reason:t,partial:!0,output:ps(
s,a?.output??""),error:null,stats:Nn(o,{...u,turns:o?.turns??null}),todos:De(o?.todos??""),recentMessages:[...n.messages]}}
i(ls,"reportOf");function cs(n,e,t,r){let s=t.call(o=>o.policing(r.index,r.generation));return{taskId:n.taskId,status:n.
status,reason:n.stopReason,partial:n.partial,output:ps(t,Ii(n,e,t,r)),error:n.error??null,stats:Nn(s,n.figures),todos:De(
s?.todos??""),recentMessages:[...e?.messages??[]]}}i(cs,"reportOfResult");function ve(n){return be(n)}i(ve,"reportText");
function Et(n,e,t){return{taskId:n,status:e,reason:null,partial:!1,output:"",error:t,stats:Nn(void 0,fs),todos:[],recentMessages:[]}}
i(Et,"reportOfNone");var fs={tokens:null,costUsd:null,turns:null,durationMs:null};function Nn(n,{tokens:e,costUsd:t,turns:r,
durationMs:s}){let{contextTokens:o=null,openTodos:a=0,counts:u=[]}=n??{};return{turns:r,tokens:e,costUsd:t,durationMs:s===
null?null:Math.round(s),contextTokens:o,openTodos:a,counts:Object.fromEntries(u)}}i(Nn,"stats");function Ii(n,e,t,{index:r,
generation:s}){let{output:o}=n,a=o===""?null:Pi(n,e,t,r,s);if(a===null||a!==o)return o;let u=Cn(a);return u===void 0?o:u.
output||(u.recentMessages.at(-1)??"")}i(Ii,"outputOf");function Pi(n,e,t,r,s){if(e?.report!==void 0)return e.report;if(t.
isClosed||t.call(u=>u.status(r,s))<0)return null;let{run:o,report:a}=t.lookup.snapshot(r,s);return o===n.run?a:null}i(Pi,
"madeByPolicy");function Cn(n){if(n.startsWith('{"taskId":'))try{let{output:e,recentMessages:t,stats:r,status:s}=JSON.parse(
n);return typeof s=="string"&&typeof e=="string"&&typeof r=="object"&&Array.isArray(t)?JSON.parse(n):void 0}catch{return}}
i(Cn,"parseReport");function ps(n,e){if(e==="")return"";let t=n.write(e);return n.call(r=>r.inline(t))}i(ps,"inlined");var le={answer:"block",policy:"",text:"the run was told to stop before its policies had answered",reason:"policy"};var _i=10,Ni=500,Je=class{constructor(e,t,r){this.messages=[];this.blockedBecause=void 0;this.report=void 0;this.asksForTurn=
!1;this.injected=[];this.waiting=0;this.pending=void 0;this.isWatched=!1;this.stopped=!1;this.runtime=e,this.actor=t,this.
readPrompt=r}static{i(this,"Agent")}get isMain(){return this.actor.run===0}get prompt(){return this.readPrompt()}say(e){
this.messages.push(nt(e,Ni)),this.messages.length>_i&&this.messages.shift()}inject(e){this.injected.push(e)}get hasInjected(){
return this.injected.length>0}takeInjected(){let e=this.injected;return this.injected=[],e}context(e,t){return Object.assign(
new Mn(this,e),t)}policing(){let{index:e,generation:t}=this.actor;return this.runtime.call(r=>r.policing(e,t))}count(e,t,r){
let{index:s,generation:o,run:a}=this.actor,u=this.runtime.write(e);return this.runtime.act(d=>d.count(b(),s,o,a,u,t,r))}rule(e,t){
if(this.runtime.isClosed||t===le)return!1;let{answer:r,policy:s,text:o,reason:a}=t,{index:u,generation:d,run:l}=this.actor;
r==="block"&&!e.endsWith("_tool")&&(this.blockedBecause??=o),r==="finish"&&(this.report=o);let c=this.runtime.write(s),f=this.
runtime.write(s+o)-c,[p,h,k]=[cn.indexOf(e),fn.indexOf(r),T.indexOf(a)];return this.runtime.act(x=>x.rule(b(),u,d,l,p,h,
k,c,f))}wait(e){return e==="on_timeout"?{until:i(t=>this.until(t,!1),"until"),over:i(()=>{},"over")}:this.isMain?this.waitAsMain():
this.waitAsRun(e)}waitAsMain(){let e=i(()=>{},"overdue"),t=new ge(()=>e());return t.keepAlive(!0),{until:i(r=>{let s=this.
runtime.isClosed?0:$(this.runtime,"approvalTimeoutMs");return s!==Number.POSITIVE_INFINITY&&t.set(b()+s),this.until(r,!1,
({end:o})=>{e=i(()=>o("overdue"),"overdue")})},"until"),over:i(()=>t.stop(),"over")}}waitAsRun(e){let{index:t,generation:r,
run:s}=this.actor;return this.waiting+=1,{until:i(o=>this.until(o,!0,()=>{this.isWatched||this.watch()}),"until"),over:i(
()=>{this.waiting-=1,!(this.waiting>0)&&(this.isWatched=!1,!this.runtime.isClosed&&e!=="before_start"&&this.runtime.act(
o=>o.approved(b(),t,r,s,!1)))},"over")}}watch(){let{index:e,generation:t,run:r}=this.actor;this.isWatched=!0;for(let s of this.
pending??[])s.isWatched=s.isTimed;this.runtime.isClosed||this.runtime.act(s=>s.awaitApproval(b(),e,t,r))}until(e,t,r){this.
pending??=new Set;let{pending:s}=this;return new Promise(o=>{let a={isTimed:t,isWatched:!1,end(u){s.delete(a),o(u)}};s.add(
a),e.then(u=>a.end({value:u}),u=>{s.has(a)?a.end({error:u}):this.runtime.alone(Promise.reject(u))}),this.stopped?a.end("\
stopped"):r?.(a)})}stop(){this.stopped=!0;for(let e of[...this.pending??[]])e.end("stopped")}overdue(){this.isWatched=!1;
let e=[...this.pending??[]];for(let t of e)t.isWatched&&t.end("overdue");e.some(({isTimed:t,isWatched:r})=>t&&!r)&&this.
watch()}},Mn=class{static{i(this,"Context")}#e;#t;#n;constructor(e,t){this.#e=e,this.#t=t}get#r(){return this.#n??=this.#e.
policing(),this.#n}get agent(){return this.#e.isMain?"main":"sub"}get taskId(){let{index:e,generation:t}=this.#e.actor;return this.#e.
isMain?null:this.#e.runtime.lookup.taskId(e,t)}get run(){return this.#e.actor.run}get prompt(){return this.#e.prompt}get turns(){
return this.#r?.turns??0}get contextTokens(){return this.#r?.contextTokens??void 0}get todos(){return De(this.#r?.todos??
"")}get openTodos(){return this.#r?.openTodos??0}get recentMessages(){return[...this.#e.messages]}count(e,t={}){let r=this.#e.
count(this.#t,e,t.openTodosOnly===!0);return r>0?"counted":r===0?"nothing_to_count":"exhausted"}report(e,t){return ls(this.#e,
e,t)}};var bs={before_spawn:"beforeSpawn",before_start:"beforeStart",before_turn:"beforeTurn",before_tool:"beforeTool",after_tool:"\
afterTool",before_end:"beforeEnd",on_timeout:"onTimeout"},$n=["blockedTools",...Object.values(bs)],ys=["name",...$n],ms={
before_spawn:["inject","block","finish"],before_start:["inject","block","finish"],before_turn:["inject","block","finish"],
before_tool:["inject","block","finish"],after_tool:["inject","block","finish"],before_end:["inject","force_turn","block",
"finish"],on_timeout:["inject","finish"]},je=class{static{i(this,"PolicyList")}#e=new Map;constructor(e,t){let r=new Map,
s=new Set;for(let{policy:o,place:a}of Ci(e,t)){let u=Mi(o,a),d=(r.get(u)??0)+1;r.set(u,d),this.#t(o,a,d===1?u:`${u}#${d}`);
let l=Q(It(a,"blockedTools"),Dn(o,a,"blockedTools"));for(let c of l??[])s.add(c)}this.blockedTools=[...s]}#t(e,t,r){let s=O(
t,()=>$i(e));if(s!==void 0)throw $e("a policy",s,ys);if(!O(t,()=>$n.some(o=>o in e)))throw g(t,`a policy with at least o\
ne of ${$n.join(", ")}`,e);for(let[o,a]of Object.entries(bs)){let u=Dn(e,t,a);if(u===void 0)continue;if(typeof u!="funct\
ion")throw g(It(t,a),"a function",u);let d=this.#e.get(o)??[];d.push({name:r,ask:i(l=>Reflect.apply(u,e,[l]),"ask")}),this.#e.
set(o,d)}}has(e){return this.#e.size>0&&this.#e.has(e)}ask(e,t,r){let s=this.#e.get(e)??[];for(let[o,a]of s.entries()){let u=hs(
a,t,r);if("later"in u)return e!=="before_spawn"?this.#n(e,t,r,o,u.later):(u.later.then(void 0,()=>{}),Pt(e,t,a.name,new Error(
"it has to answer at once here, it returned a promise")));let d=gs(e,t,a.name,u);if(d!==void 0)return d}}async#n(e,t,r,s,o){
let a=this.#e.get(e)??[],u=t.wait(e);try{let d=o;for(let l=s;l<a.length;l+=1){let c=a[l],f;if(d===void 0){let h=hs(c,t,r);
f="later"in h?await u.until(h.later):h}else f=await u.until(d),d=void 0;if(f==="stopped")return e==="before_tool"||e==="\
before_end"?le:void 0;let p=f==="overdue"?Di(e,t,c.name):gs(e,t,c.name,f);if(p!==void 0)return p}return}finally{u.over()}}};
function Ci(n,e){return e===void 0?[]:F(n,"a list of policies",e,(t,r)=>({policy:ke(r,t,"a policy"),place:r}))}i(Ci,"pol\
iciesOf");function It(n,e){return n.endsWith("`")?`${n.slice(0,-1)}.${e}\``:`\`${e}\` of ${n}`}i(It,"within");function Dn(n,e,t){
return O(It(e,t),()=>oe(n,t))}i(Dn,"partOf");function Mi(n,e){let t=Dn(n,e,"name")??"policy";return X(N(It(e,"name"),t))}
i(Mi,"nameIn");function $i(n){let e=Object.getPrototypeOf(n),t=e===null||Object.getPrototypeOf(e)===null;return Object.keys(
n).find(r=>!ys.includes(r)&&(t||/^(before|after|on)[A-Z]/.test(r)))}i($i,"strangerIn");function hs(n,e,t){try{let r=n.ask(
e.context(n.name,t));return typeof r=="object"&&r!==null&&typeof r.then=="function"?{later:new Promise(o=>o(r))}:{value:r}}catch(r){
return{error:r}}}i(hs,"answerOf");function gs(n,e,t,r){if("error"in r)return Pt(n,e,t,r.error);try{return Li(n,t,r.value)}catch(s){
return Pt(n,e,t,s)}}i(gs,"judge");function Di(n,e,t){let r=new Error("it took too long to answer");return ks(n)?ws(t,r):
Pt(n,e,t,r)}i(Di,"overdue");function Pt(n,e,t,r){return e.runtime.report(r),ks(n)?ws(t,r):void 0}i(Pt,"failed");function ks(n){
return n!=="after_tool"&&n!=="on_timeout"}i(ks,"isGate");function ws(n,e){return{answer:"block",policy:n,text:`the polic\
y ${n} failed: ${w(e)}`,reason:"policy"}}i(ws,"closed");function Li(n,e,t){if(t==null)return;if(typeof t!="object")throw new Error(
`it answered ${y(t)}`);let r=i(f=>oe(t,f),"part"),[s,o,a,u,d="policy"]=["action","text","reason","report","stopReason"].
map(r);if(s==="continue")return;let l=s;if(!ms[n].includes(l))throw new Error(`it answered ${y(s)}, here it may answer ${[
"continue",...ms[n]].join(", ")}`);let c={inject:o,force_turn:o??"Take another turn before you end.",block:a,finish:u}[l];
if(typeof c!="string")throw new Error(`it answered ${l} with ${y(c)} where a text belongs`);if(!T.includes(d))throw new Error(
`it answered with the stop reason ${y(d)}`);return{answer:l,policy:e,text:X(N("what it says",c)),reason:d}}i(Li,"read");var Ee=class{constructor(e,t,r){this.mains=[];this.runtime=e,this.sub=new je("`policies.subAgents`",t.subAgents),this.policies=
new je("`policies.main`",t.main),this.guardSpawns=this.sub.has("before_spawn")||this.policies.has("before_spawn"),this.limits=
r}static{i(this,"Gates")}sessionPolicies(e){return e===void 0?this.policies:new je("`policies`",e)}openSession(e,t,r){this.
mains[e.index]=this.newMain(e,t,{...this.limits,...r}),this.guardSpawns||=t.has("before_spawn")}main(e){let t=this.mains[e.
index];if(t?.agent.actor.generation===e.generation)return t;let r=this.newMain(e,this.policies,this.limits);return t===void 0&&
(this.mains[e.index]=r),r}newMain(e,t,r){let o={agent:new Je(this.runtime,e,()=>o.prompt),policies:t,limits:r,prompt:""};
return o}agentOf(e){return e.agent??=new Je(this.runtime,e,()=>e.prompt()),e.agent}listFor(e){return e.isMain?this.main(
e.actor).policies:this.sub}close(){for(let e of this.mains)e?.agent.stop()}beforeSpawn(e,t,r){let s=e.run===0,o=s?this.main(
e).policies:this.sub;if(!o.has("before_spawn"))return;let a=s?this.main(e).agent:this.agentOf(e),u=o.ask("before_spawn",
a,{task:t.text,params:r});if(u===void 0)return;a.rule("before_spawn",u);let{answer:d,policy:l,text:c}=u;if(d==="inject"){
let f=Ot(t);f.contextHint=f.contextHint===void 0||f.contextHint===""?c:`${f.contextHint}

${c}`;return}throw new m("policy_blocked",c,{policy:l,...d==="finish"&&{report:c}})}start(e){let t=this.agentOf(e),r=this.
sub.ask("before_start",t,{});if(r instanceof Promise){this.runtime.alone(r.then(s=>this.started(e,s)));return}this.decideStart(
e,r)}started(e,t){let{runtime:r}=this;if(r.isClosed||e.hostIsOver)return;let{index:s,generation:o,run:a}=e,u=(t===void 0||
t.answer==="inject")&&!this.isStopping(e);e.starting=()=>this.decideStart(e,t),!(r.act(d=>d.approved(b(),s,o,a,u))===0&&
u)&&e.takeStart()?.()}decideStart(e,t){let r=this.agentOf(e);t!==void 0&&r.rule("before_start",t),t?.answer==="inject"&&
r.inject(t.text),this.runtime.onceKept(()=>{this.runtime.isClosed||e.hostIsOver||((t===void 0||t.answer==="inject")&&!this.
isStopping(e)?this.runtime.hosts.start(e):this.runtime.hosts.end(e,Oe()))})}isStopping(e){let{index:t,generation:r,run:s}=e;
return!this.runtime.call(o=>o.isOpen(t,r,s))||this.runtime.lookup.snapshot(t,r).cancelRequested}async beforeTurn(e,t){e.
asksForTurn=!0;try{let r=await this.listFor(e).ask("before_turn",e,{});if(this.runtime.check(),r!==void 0){let a=e.rule(
"before_turn",r);if(r.answer==="inject")e.inject(r.text);else if(a)return Ss(r)}let s=await t();if(!s.go)return s;let o=e.
takeInjected();return o.length===0?s:{...s,inject:[...s.inject??[],...o]}}finally{e.asksForTurn=!1}}async mainTurn(e,t){
let{runtime:r}=this;r.check();let s=this.main(e),{agent:o,policies:a}=s,{index:u,generation:d}=e;if(o.asksForTurn)throw new m(
"invalid_argument","the last beforeTurn has not answered yet");if(t!==void 0&&(r.act(l=>l.endMain(b(),u,d)),s.prompt=t),
(o.policing()?.turns??0)===0&&a.has("before_start")){o.asksForTurn=!0;let l=await a.ask("before_start",o,{});if(o.asksForTurn=
!1,r.check(),l!==void 0){if(o.rule("before_start",l),l.answer!=="inject")return Ss(l);o.inject(l.text)}}return this.beforeTurn(
o,()=>this.takeMainTurn(s))}async takeMainTurn(e){let{agent:t,policies:r,limits:s}=e,{index:o,generation:a}=t.actor,{maxTurns:u=Ln,
maxContextTokens:d=Ln,timeoutMs:l=Ln}=s,c=this.runtime.call(j=>j.beginMainTurn(b(),o,a,u,d,l));if(c===-1)throw this.runtime.
refusal();if(c<0){this.runtime.carryOut();let j=T[-2-c]??"policy";return j!=="policy"?{go:!1,reason:j}:{go:!1,reason:j,message:`\
the context has ${t.policing()?.contextTokens} tokens, the limit is ${d}`}}let{turn:f,injects:p,wrapUp:h}=vt(c),k=p?{inject:this.
runtime.call(j=>j.takeInject())}:void 0;if(this.runtime.carryOut(),h===void 0)return{go:!0,turn:f,...k};let x=await r.ask(
"on_timeout",t,{reason:"timeout"}),R=x===void 0?void 0:this.timeoutAnswered(t,x);return{go:!0,turn:f,wrapUp:!0,reason:"t\
imeout",...k,...R!==void 0&&{report:R}}}async beforeTool(e,t,r){let{runtime:s}=this,{index:o,generation:a,run:u}=e.actor;
if(s.check(),N("a tool's name",t)==="")throw g("a tool's name","a text that is not empty",t);if(!e.isMain){let f=s.write(
t);if(!s.call(p=>p.mayUse(o,a,u,f)))return this.toolRefused(e)}let d=this.listFor(e),l=d.has("before_tool")?await d.ask(
"before_tool",e,{tool:t,args:r}):void 0;if(s.check(),l===le&&xs(e),l!==void 0){if(e.rule("before_tool",l),l.answer==="bl\
ock")return{allowed:!1,reason:l.text};if(l.answer==="finish")return{allowed:!1,reason:l.text,finished:!0}}let c=s.write(
t);return s.call(f=>f.beginTool(b(),o,a,u,c))?(s.carryOut(),l===void 0?{allowed:!0}:{allowed:!0,inject:[l.text]}):this.toolRefused(
e)}toolRefused(e){let{code:t,message:r}=this.runtime.refusal();return t==="tool_blocked"&&e.rule("before_tool",{answer:"\
block",policy:"tools",text:r,reason:"policy"}),{allowed:!1,reason:r}}async afterTool(e,t,r){let{runtime:s}=this,{index:o,
generation:a,run:u}=e.actor;if(s.check(),N("a tool's name",t)==="")throw g("a tool's name","a text that is not empty",t);
let l=!e.isMain&&s.call(h=>h.endTool(b(),o,a,u))?s.call(h=>h.takeInject()):[];s.carryOut();let c=this.listFor(e),f=c.has(
"after_tool")?await c.ask("after_tool",e,{tool:t,result:r}):void 0;f!==void 0&&(s.check(),e.rule("after_tool",f),f.answer===
"inject"&&l.push(f.text));let p=l.length===0?{}:{inject:l};return f?.answer==="block"?{withheld:!0,reason:f.text,...p}:f?.
answer==="finish"?{withheld:!1,finished:!0,...p}:{withheld:!1,...p}}async beforeEnd(e,t){let{runtime:r}=this;r.check(),N(
"`output`",t);let s=this.listFor(e),o=s.has("before_end")?await s.ask("before_end",e,{output:t}):void 0;if(r.check(),o===
le&&xs(e),o!==void 0&&(e.rule("before_end",o),o.answer==="inject"||o.answer==="force_turn"))return{end:!1,inject:[o.text]};
let{index:a,generation:u}=e.actor;return e.isMain&&r.act(d=>d.endMain(b(),a,u)),o===void 0?{end:!0,output:t}:o.answer===
"finish"?{end:!0,output:o.text}:{end:!0,output:"",reason:o.text}}timedOut(e,t){if(!this.sub.has("on_timeout"))return;let r=this.
agentOf(e),s=this.sub.ask("on_timeout",r,{reason:t}),o=i(a=>{a!==void 0&&this.timeoutAnswered(r,{...a,reason:t})},"answe\
red");s instanceof Promise?this.runtime.alone(s.then(o)):o(s)}timeoutAnswered(e,t){if(e.rule("on_timeout",t),t.answer===
"finish")return t.text;e.inject(t.text)}},Ln=Number.POSITIVE_INFINITY;function xs({actor:n}){if(n.isLeft===!0)throw ae("\
asks its policies")}i(xs,"checkIsLeft");function Ss({answer:n,text:e,reason:t}){return n==="finish"?{go:!1,reason:t,report:e}:
{go:!1,reason:t,message:e}}i(Ss,"refusedTurn");function Ki(n){return O("a notice",()=>{let{origin:e,text:t,deliveryId:r}=ke("a notice",n);return{channel:"system",senderId:"\
subagent",chatId:`${e.channel}:${e.chatId}`,content:t,deliveryId:r}})}i(Ki,"toBusMessage");function As(n,e,t){return({inbox:r})=>{
let s=r.lease();s.length!==0&&t(()=>{for(let o of s)i(async()=>{await n.publish(Ki(o)),r.ack(o.deliveryId)},"taken")().catch(
e)})}}i(As,"publisher");function Os(n){let e=typeof n=="object"&&n!==null?n.publish:void 0;if(typeof e!="function")throw g(
"`bus`","an object with a function `publish`",n);return{publish:i(t=>e.call(n,t),"publish")}}i(Os,"busOf");function _t(n){return O("a task",()=>{let{label:e,taskId:t}=ke("a task",n);return`Subagent [${E(e,re)}] started (id: ${E(
t)}). I'll notify you when it completes.`})}i(_t,"startedText");function Fn(n){let{process:e,Deno:t,reportError:r,console:s}=globalThis;try{e===void 0&&t===void 0&&typeof r=="function"?
r(n):s?.error(n)}catch{}}i(Fn,"logError");function Kn(n,e,t){try{let r=n(t);Ui(r)&&new Promise(s=>s(r)).catch(e)}catch(r){
e(r)}}i(Kn,"notify");function Ui(n){return typeof n=="object"&&n!==null&&typeof n.then=="function"}i(Ui,"isThenable");function _e(n){return typeof WeakRef>"u"?{deref:i(()=>n,"deref")}:new WeakRef(n)}i(_e,"weakly");var Pe=class{static{i(this,
"Collected")}constructor(e){this.registry=typeof FinalizationRegistry>"u"?void 0:new FinalizationRegistry(e)}watch(e,t){
this.registry?.register(e,t,e)}unwatch(e){this.registry?.unregister(e)}};var Nt=class{static{i(this,"Door")}constructor(e){this.manager=e}get runtime(){return this.manager}shut(){this.manager=void 0}},
He=[],Ts=[],Un,ce;function Rs(n,e,t){let r=Ts.pop()??He.length;return He[r]=_e(e),Un??=new Pe(({host:s,alarm:o})=>{o.stop(),
vs(s)}),Un.watch(n,{host:r,alarm:t}),r}i(Rs,"attach");function Wn(n){Un?.unwatch(n),n.door.shut(),vs(n.host)}i(Wn,"relea\
se");function vs(n){He[n]!==void 0&&(He[n]=void 0,Ts.push(n))}i(vs,"detach");function G(n){let e=ce;return ce=n,en(!0),e}
i(G,"enter");function J(n){ce=n,n===void 0&&en(!1)}i(J,"leave");function js(){return ce!==void 0}i(js,"isInside");function I(n){
return ce!==void 0&&ce.host===n?ce:He[n]?.deref()?.runtime}i(I,"find");function Uc(n,e,t,r,s){I(n)?.runs.startRun(e,t,r,
s)}i(Uc,"startRun");function Wc(n,e,t,r,s){I(n)?.runs.runRetried(e,t,r,s)}i(Wc,"runRetried");function Bc(n,e,t,r,s){I(n)?.
runs.abortRun(e,t,r,s)}i(Bc,"abortRun");function Gc(n,e,t,r){return I(n)?.runs.turnReady(e,t,r)===!0}i(Gc,"turnReady");function Jc(n,e,t){
let r=I(n);r?.sessionData.taskForgotten(e,t),r?.contexts.taskForgotten(e,t),r?.signals.taskGone(e,t)}i(Jc,"taskForgotten");
function Hc(n,e,t){I(n)?.signals.taskGone(e,t)}i(Hc,"taskClosed");function Vc(n,e,t){I(n)?.wakes.mark(e)}i(Vc,"wakeSessi\
on");function qc(n,e,t,r,s){I(n)?.runs.policiesDue(e,t,r,s)}i(qc,"policiesDue");function Yc(n){I(n)?.startsStopped()}i(Yc,
"startsStopped");function zc(n,e){I(n)?.wakeAt(e)}i(zc,"wakeAt");function Qc(n,e,t,r,s,o,a){I(n)?.runs.askDone(e,t,r,s,o,
a)}i(Qc,"askDone");function Xc(n,e,t,r){I(n)?.waits.done(e,t,r)}i(Xc,"waitDone");function Zc(n,e){return I(n)?.runs.runEnded(
e)===!0}i(Zc,"runEnded");function ef(n){I(n)?.runs.allTold()}i(ef,"allTold");function tf(n,e,t,r){I(n)?.listeners.facts(
e,t,r)}i(tf,"facts");function nf(n,e){let t=I(n);return t===void 0||t.consumerGate(e)}i(nf,"consumerGate");function rf(n,e){
return I(n)?.makeTool(e)}i(rf,"makeTool");var Ct=class{constructor(e,t){this.listeners=[];this.reader=void 0;this.runtime=e,this.scratch=t}static{i(this,"Listener\
s")}get listening(){return this.reader!==void 0}subscribe(e,t){this.runtime.check();let r=this.runtime.journal?.unheard??
this.runtime.call(o=>o.factCount());this.listeners.length===0&&(this.runtime.journal?.gather(!1),this.reader=t(this.runtime,
this.scratch,r),this.runtime.runs.keepOutputs(this.runtime.journal===void 0),this.runtime.call(o=>o.listen(!0)));let s={
listener:e,context:Sn(),since:r,isOver:!1};return this.listeners=[...this.listeners,s],()=>{s.isOver=!0,this.listeners=this.
listeners.filter(o=>o!==s),this.listeners.length===0&&!this.runtime.isClosed&&(this.reader=void 0,this.runtime.runs.keepOutputs(
!1),this.runtime.journal===void 0?this.runtime.call(o=>o.listen(!1)):this.runtime.journal.gather(!0))}}facts(e,t,r){let{
journal:s}=this.runtime;if(s===void 0)this.hand(this.reader?.read(e,t,r));else if(t===0)s.expect();else{let o=s.take(e,t);
s.isSync||this.tell(o)}}tell(e){this.hand(this.reader?.readKept(e))}hand(e=[]){let[t,r]=this.listeners;if(t!==void 0)if(r===
void 0)Es(t,()=>this.tellAll(t,e));else for(let s of e)this.tellEach(s)}tellAll(e,t){for(let r of t)this.tellOne(e,r)}tellEach(e){
for(let t of this.listeners)Es(t,()=>this.tellOne(t,e))}tellOne(e,t){!e.isOver&&t.seq>e.since&&this.runtime.tell(e.listener,
t)}clear(){for(let e of this.listeners)e.isOver=!0;this.listeners=[],this.reader=void 0}};function Es({context:n},e){n===
void 0?e():n.runInAsyncScope(e)}i(Es,"within");function Mt({ahead:n}){return Math.floor(b())+n}i(Mt,"instantOf");var Wi=200,Bi=["disposed","internal","store_failed"],$t=class{constructor(e){this.listeners=new Set;this.told=new WeakSet;
this.runtime=e}static{i(this,"Refusals")}listen(e){let t={listener:Te(e)};return this.listeners.add(t),()=>{this.listeners.
delete(t)}}tell(e,t,r,s){let{runtime:o}=this;if(this.listeners.size===0||o.isClosed||!(s instanceof m)||Bi.includes(s.code)||
this.told.has(s))return;this.told.add(s);let a=typeof r=="function"?r():r,{index:u,generation:d,run:l}=t,c={seq:o.call(f=>f.
factCount()),at:Mt(o),operation:e,code:s.code,message:s.message,by:l===0?null:o.lookup.taskId(u,d),sessionKey:o.lookup.sessionKey(
u,d),label:a===null?null:at(a,Wi)};for(let{listener:f}of this.listeners)o.tell(f,c)}clear(){this.listeners.clear()}};function Is({error:n,hostStatus:e,hostTaskId:t,artifactsJson:r,valueJson:s}){if(!(n===void 0&&e===void 0&&t===void 0&&r===
void 0&&s===void 0))return[n,e,t,r,s]}i(Is,"besideOutput");var Dt=class{constructor(e,t){this.view=new Uint8Array(0);this.whole=new Uint8Array(0);this.numbers=new Float64Array(0);
this.encoder=new TextEncoder;this.decoder=new TextDecoder("utf-8",{ignoreBOM:!0});this.lengths={output:0,beside:0};this.
core=e,this.memory=t}static{i(this,"Scratch")}write(e,t=0){let r=t+e.length*3;return(this.view.length<r||this.view.length===
0)&&this.grow(r),this.encoder.encodeInto(e,t===0?this.view:this.view.subarray(t)).written}writeLeft(e){let{lengths:t}=this,
r=Is(e);return r!==void 0&&this.makeRoom(e.output,r),t.output=this.write(e.output),t.beside=r===void 0?0:this.writeBeside(
r,t.output),t}makeRoom(e,t){let r=t.reduce((s,o)=>s+4+3*(o?.length??0),3*e.length);this.view.length<r&&this.grow(r)}writeBeside(e,t){
let r=t;for(let s of e){let o=s===void 0?-1:this.write(s,r+4);for(let a=0;a<4;a+=1)this.view[r+a]=o>>>8*a;r+=4+Math.max(
0,o)}return r-t}writeBytes(e){return(this.view.length<e.length||this.view.length===0)&&this.grow(e.length),this.view.set(
e),e.length}renew(){this.view=new Uint8Array(0)}read(e,t){return t===0?"":this.decoder.decode(new Uint8Array(this.memory.
buffer,e,t))}memoryView(){return this.whole.length===0&&(this.whole=new Uint8Array(this.memory.buffer)),this.whole}numbersView(){
return this.numbers.length===0&&(this.numbers=new Float64Array(this.memory.buffer)),this.numbers}copyBehind(e,t,r){let s=new Uint8Array(
e+r);return s.set(new Uint8Array(this.memory.buffer,t,r),e),s}get memoryBytes(){return this.memory.buffer.byteLength}letGo(){
this.view=new Uint8Array(0),this.whole=new Uint8Array(0),this.numbers=new Float64Array(0),this.core=void 0,this.memory={
buffer:new ArrayBuffer(0)}}grow(e){let t=Math.max(e,4096),r=this.core.scratch(t);this.view=new Uint8Array(this.memory.buffer,
r,t)}};var fe={index:0,generation:0,run:0},Ps=4294967296;function ee(n){return n>>>0}i(ee,"indexOf");function Bn(n){return Math.
floor(n/Ps)}i(Bn,"generationOf");function K(n){return{index:ee(n),generation:Bn(n)}}i(K,"keyOf");function Ne({index:n,generation:e}){
return e*Ps+n}i(Ne,"packed");var Jn=class{static{i(this,"Followed")}#e;#t=new Set;constructor(e){this.#e=e}#n=i(()=>{let e=[...this.#t];for(let t of e)
this.leave(t);for(let t of e)t.deref()?.fire()},"#fire");join(e){this.#t.add(e),this.#t.size===1&&this.#e.addEventListener(
"abort",this.#n,{once:!0})}leave(e){!this.#t.delete(e)||this.#t.size>0||(Lt.get(this.#e)===this&&Lt.delete(this.#e),this.#e.
removeEventListener("abort",this.#n))}},Lt=new WeakMap,Gn;function Gi(n){n()}i(Gi,"call");function _s(n,e){let t=Lt.get(
n);t===void 0&&(t=new Jn(n),Lt.set(n,t));let r=t;return r.join(e),()=>r.leave(e)}i(_s,"join");function Hn(n,e){let t={fire:e};
return _s(n,{deref:i(()=>t,"deref")})}i(Hn,"follow");var Ft=class{static{i(this,"Signals")}#e=new Map;#t=new Map;follow(e,t){
let r={fire:t},s=_s(e,_e(r)),o=i(()=>{this.#e.delete(o),Gn?.unwatch(r),s()},"end");return this.#e.set(o,r),Gn??=new Pe(Gi),
Gn.watch(r,s),o}keepIdle(e,t){let{runtime:r,index:s,generation:o}=e,a=this.follow(t,()=>Cs(e));e.unfollow?.(),e.unfollow=
a,r.call(d=>d.tellForgotten()),this.#t.set(s,e);let u=r.call(d=>d.status(s,o));(u<0||H[u]==="closed")&&this.taskGone(s,o)}taskGone(e,t){
if(this.#t.size===0)return;let r=this.#t.get(e);r?.generation===t&&(this.#t.delete(e),r.unfollow?.())}clear(){for(let e of[
...this.#e.keys()])e();for(let e of this.#t.values())e.unfollow?.();this.#t.clear()}};function Ns(n,e){let t=Hn(e,()=>{n.
index===0?n.abortedEarly=!0:mt(n.runtime,e)||Cs(n)});n.unfollow=()=>{n.unfollow=void 0,t()}}i(Ns,"followSignal");function Cs(n){
let{runtime:e}=n;if(!e.isClosed)try{e.waits.cancel(fe,n.index,n.generation,"signal_aborted").catch(()=>{})}catch{}}i(Cs,
"cancelActive");function $s(n,e,t,r){try{return Ji(n,e,t,r)}catch(s){throw n.refusals.tell("spawn",e,t.staged?.label??t.text??null,s),s}}
i($s,"spawn");function Ji(n,e,t,r){n.check();let s=t.signal!==void 0||e.run!==0;s&&Ms(n,e,t);let o=t.renamed?Xi(t.text,r):
r;n.seeded||ta(n),n.functions.checkConsumerSpawn!==void 0&&Vi(n,o),n.gates.guardSpawns&&(n.gates.beforeSpawn(e,t,o),n.check()),
s&&Ms(n,e,t),n.functions.spawnSubAgent===void 0&&Zi(n,t);let a=new B(n,o,t);return t.watch!==void 0&&(a.watch=t.watch),t.
signal!==void 0&&qi(a,t.signal),t.staged!==void 0&&Yi(n,a,t.staged),Hi(n,e,t,a)}i(Ji,"begin");function Hi(n,e,t,r){let{staged:s,
text:o}=t,a=o===void 0?0:n.write(o),u=(t.background?1:0)|(o===void 0?2:0)|(s===void 0?0:4)|(t.manual?8:0)|(s?.idempotencyKey===
void 0?0:64)|t.answers,d=G(n),l;try{l=n.core.begin(b(),e.index,e.generation,e.run,u,a,t.tokens,t.cost,t.turns)}catch(p){
throw n.poison(p)}finally{J(d)}if(l===-1)throw r.unfollow?.(),n.refusal();let c=l<0?Qi(n,r,t,K(-2-l)):zi(n,r,t,l),f=n.contexts.
enter(l<0?0:l);return n.carryOut(),n.contexts.leave(f),n.expectSound(),n.hosts.keepAwake(),c}i(Hi,"admit");function Vi(n,e){
let t=Vn(n,e);if(t!==!0)throw new m("spawn_denied",t||"the host refused this spawn",{reason:t||null});n.check()}i(Vi,"ex\
pectAllowed");function qi(n,e){if(Ns(n,e),n.abortedEarly)throw Ds(e)}i(qi,"followUnfired");function Yi(n,e,t){if(!n.call(
r=>r.stage(t)))throw e.unfollow?.(),n.refusal()}i(Yi,"stage");function zi(n,e,{text:t,manual:r,schema:s,signal:o},a){return e.
index=ee(a),e.generation=Bn(a),s!==void 0&&n.sessionData.check(e.index,e.generation,s),n.contexts.keep(e.index,e.generation),
t===void 0?o!==void 0&&n.signals.keepIdle(e,o):r||(e.run=1,n.runs.keep(e)),e}i(zi,"admitted");function Qi(n,e,t,r){e.unfollow?.(),
t.repeated=!0;let s=ea(n,r),{schema:o}=t;return o!==void 0&&n.journal?.goesOn===!0&&!s.hostOpen&&s.check===void 0&&n.sessionData.
check(r.index,r.generation,o),s}i(Qi,"repeated");function Ms(n,{index:e,generation:t,run:r},{signal:s,background:o}){if(s?.
aborted===!0)throw Ds(s);r!==0&&n.ask(a=>a.mayStart(e,t,r,o))}i(Ms,"expectNotStopped");function Ds(n){return new m("abor\
ted","the signal of this spawn has fired already, so nothing was started",{},{cause:n.reason})}i(Ds,"firedAlready");function Xi(n,e){
return O("the options of spawn",()=>({...e,instructions:n}))}i(Xi,"renamedParams");function Zi({functions:n},{text:e,manual:t,
background:r}){if(e===void 0||t||r&&n.spawnBackgroundSubAgent!==void 0)return;let s="spawnSubAgent";throw new m("invalid\
_argument","the manager was made without `spawnSubAgent`, so nothing can run a sub-agent",{argument:s})}i(Zi,"expectHost");
function ea(n,{index:e,generation:t}){let r=n.runs.activeOf(e,t);if(r!==void 0)return r;let s=new B(n,void 0);return s.index=
e,s.generation=t,s.run=n.call(o=>o.lastRun(e,t)),s}i(ea,"lastRunOf");function Vn(n,e){let t=n.functions.checkConsumerSpawn;
if(t===void 0)return!0;try{let r=t(e);if(typeof r!="object"||r===null)return`checkConsumerSpawn must return { allowed },\
 it returned ${y(r)}`;let{allowed:s,reason:o}=r;if(s===!0&&Object.getPrototypeOf(r)===Object.prototype&&!("allowed"in Object.
prototype))return!0;let[a,u]=[Y(r,"allowed",s),Y(r,"reason",o)];return a===!0?!0:a===!1?typeof u=="string"&&u!==""?u:!1:
typeof r.then=="function"?(r.then(void 0,()=>{}),"checkConsumerSpawn must answer at once, it returned a promise"):`check\
ConsumerSpawn must return { allowed: boolean }, allowed is ${y(a)}`}catch(r){return n.report(r),`checkConsumerSpawn fail\
ed: ${w(r)}`}}i(Vn,"consumerGate");function ta(n){n.order(e=>e.seed(b())),n.seeded=!0}i(ta,"seed");var na=0x7375626167656e74n,ra=32n,Ks=i(n=>BigInt.asUintN(64,n),"low64"),Ls=i((n,e)=>Ks(n<<e|n>>64n-e),"rotated");function Fs(n,e,t){
let r=Ks(Ls(n,56n)+e)^t;return[r,Ls(e,3n)^r]}i(Fs,"mix");function Us([n=0n,e=0n],t,r){let[s,o]=[n,e],[a,u]=[na,BigInt(r)<<
32n|BigInt(t)];for(let d=0n;d<ra;d+=1n)[a,u]=Fs(a,u,o),[s,o]=Fs(s,o,d);return`sub_${[a,u].map(d=>d.toString(16).padStart(
16,"0")).join("")}`}i(Us,"taskIdOf");function Ve(n){let{artifacts:e,value:t,metadata:r}=n;return{...n,artifacts:e===null?[]:JSON.parse(e),value:t===null?null:
JSON.parse(t),metadata:Hr(r)}}i(Ve,"parsed");var Kt=class{constructor(e){this.sessions=new Map;this.runtime=e}static{i(this,"Lookup")}resolve(e,t){if(this.runtime.check(),
typeof t!="string")throw g("a target","an id or a handle",t);let r=this.runtime.write(an(t)?t.slice(0,160):""),{index:s,
generation:o,run:a}=e,u=this.runtime.call(d=>d.find(s,o,a,r));if(u<0){let d=this.runtime.refusal();if(d.code==="ambiguou\
s_nickname")throw d;let l=new m(d.code,`${d.message}: ${y(t)}`,{...d.details,taskId:t});throw Ze(l,`${Me(d)}: ${y(t)}`)}
return K(u)}nameOf(e,{nickname:t,taskId:r}){if(t===null)return r;let s=this.runtime.write(t),o=this.runtime.call(d=>d.find(
e.index,e.generation,e.run,s));if(o<0)return r;let{index:a,generation:u}=K(o);return this.taskId(a,u)===r?t:r}taskId(e,t){
let{idKey:r}=this.runtime;return r===void 0?this.runtime.call(s=>s.taskId(e,t)):Us(r,e,t)}snapshot(e,t){let r=this.runtime.
call(s=>s.get(e,t,b()));if(r===void 0)throw this.runtime.refusal();return Ve(r)}seen(e){let{index:t,generation:r}=this.resolve(
fe,e);return this.snapshot(t,r)}about(e,t){let r=this.runtime.call(u=>u.get(e,t,b()));if(r===void 0)return;let{label:s,parentId:o,
metadata:a}=Ve({...r,artifacts:null,value:null});return{label:s,parentId:o,metadata:a,sessionKey:this.sessionKey(e,t)}}label(e,t){
return this.runtime.call(r=>r.label(e,t))??null}sessionKey(e,t){return this.runtime.call(r=>r.sessionKey(e,t))??null}brief(e,t){
let r=this.runtime.call(f=>f.brief(e,t));if(r===void 0)throw this.runtime.refusal();let[s,o,a="",u,d=pt,l,c]=r;return{depth:s,
label:o,contextHint:a,systemPrompt:u,profile:d,modelId:l,sourceAgentId:c}}openSession(e){this.runtime.check();let t=this.
runtime.write(e),r=this.runtime.call(o=>o.openSession(b(),t));if(r<0)throw this.runtime.refusal();this.runtime.carryOut();
let s={...K(r),run:0};return this.sessions.set(s.index,s.generation),s}eventId(e,t){return this.sessions.get(e)===t?null:
this.runtime.call(r=>r.eventId(e,t))??null}};var Ws=64,Ut=class{constructor(e){this.open=new Map;this.named=new Map;this.early=new Map;this.ended=new Map;this.lost=new Map;
this.sweepAt=Ws;this.runtime=e}static{i(this,"RemoteRuns")}start(e,t){this.sweep(),this.list(e);let r;try{r=t(e.params(),
e.handedRun())}catch(o){throw this.unlist(e),o}let s=new Promise(o=>o(r));if(!this.isListed(e)){s.catch(()=>{});return}this.
runtime.act(o=>o.startedElsewhere(b(),e.index,e.generation,e.run)),e.expectName(),this.runtime.alone(s.then(o=>this.started(
e,o),o=>this.end(e,lt(w(o),o))))}started(e,t){let r=sa(t);if(typeof r!="string"||r===""){this.end(e,yn(`spawnBackgroundS\
ubAgent must resolve to { taskId }, it resolved to ${y(t)}`));return}if(e.hostTaskId=r,this.isListed(e)&&this.named.set(
r,(this.named.get(r)??new Set).add(e)),e.named?.resolve(),this.runtime.isClosed)return;let s=this.runtime.write(r);this.
runtime.act(a=>a.nameElsewhere(b(),e.index,e.generation,e.run,s));let o=this.early.get(r)??this.resultBefore(e,r);this.early.
delete(r),o!==void 0?this.end(e,Ae(o)):this.refuseEarly()}resultBefore(e,t){let r=this.lost.get(Ne(e));return r?.hostTaskId===
t&&r.run<e.run?r.result:void 0}refuseEarly(){if(this.early.size===0||this.isUnnamed())return;let e=[...this.early.keys()];
this.early.clear();for(let t of e)this.runtime.report(this.unknown(t))}isUnnamed(){return[...this.open.values()].some(({
hostTaskId:e})=>e===void 0)}report(e,t){if(typeof e!="string"||e==="")throw g("the id","a task id or the host's own id",
e);if(typeof t!="object"||t===null)throw g("the result","{ output, status, usage }",t);let r=this.openBy(e);if(r.length>
1)throw Bs(e);let[s]=r;if(s!==void 0){this.end(s,Ae(t));return}let o=this.endedBy(e)??this.lostBy(e,t);if(o!==void 0){let{
index:a,generation:u,run:d}=o,l=Object.assign(new B(this.runtime,void 0),{index:a,generation:u,run:d});this.runtime.hosts.
end(l,Ae(t));return}if(!this.isUnnamed())throw this.unknown(e);this.early.set(e,t)}openBy(e){let t=[...this.named.get(e)??
[]],r=this.open.get(this.placeOf(e));return r===void 0||t.includes(r)?t:[...t,r]}endedBy(e){let t=this.ended.get(e)??this.
ended.get(this.placeOf(e));return t!==void 0&&this.isKept(t)?t:void 0}lostBy(e,t){if(this.runtime.journal?.goesOn!==!0)return;
let{lookup:r}=this.runtime,s=this.find(e);if(s<0){if(this.runtime.refusal().code==="ambiguous_nickname")throw Bs(e);return}
let o=K(s),{taskId:a,hostTaskId:u,nickname:d,background:l}=r.snapshot(o.index,o.generation);if(e===a?!l:e===d&&e!==u)return;
let c=this.runtime.call(k=>k.lastRun(o.index,o.generation)),p=this.runtime.call(k=>k.hasRun(o.index,o.generation,c))?c-1:
c;if(p===0)return;let h={...o,run:p,hostTaskId:u,result:t};return this.lost.set(s,h),h}find(e){let t=this.runtime.write(
e.slice(0,160));return this.runtime.call(r=>r.find(0,0,0,t))}placeOf(e){let t=this.find(e);if(t<0)return t;let{index:r,generation:s}=K(
t);return this.runtime.lookup.taskId(r,s)===e?t:-2}isKept({index:e,generation:t}){return this.runtime.call(r=>r.lastRun(
e,t))>0}unknown(e){if(this.placeOf(e)===-1){let t=this.runtime.refusal();if(t.code==="forgotten")return t}return new m("\
unknown_task",`no background sub-agent goes by ${y(e)}`,{id:e})}list(e){let t=Ne(e),r=this.open.get(t);r!==void 0&&this.
unlist(r)&&this.keepEnded(r),this.open.set(t,e)}isListed(e){return this.open.get(Ne(e))===e}unlist(e){if(!this.isListed(
e))return!1;this.open.delete(Ne(e));let{hostTaskId:t}=e;if(t!==void 0){let r=this.named.get(t);r?.delete(e),r?.size===0&&
this.named.delete(t)}return!0}keepEnded({index:e,generation:t,run:r,hostTaskId:s}){let o={index:e,generation:t,run:r};this.
ended.set(Ne(o),o),s!==void 0&&this.ended.set(s,o)}clear(){this.open.clear(),this.named.clear(),this.early.clear(),this.
ended.clear(),this.lost.clear()}sweep(){if(!(this.open.size+this.ended.size<this.sweepAt)){for(let e of this.open.values())
this.runtime.call(t=>t.hasRun(e.index,e.generation,e.run))||(this.unlist(e),this.keepEnded(e));for(let[e,t]of this.ended)
this.isKept(t)||this.ended.delete(e);for(let[e,t]of this.lost)this.isKept(t)||this.lost.delete(e);this.sweepAt=Math.max(
Ws,(this.open.size+this.ended.size)*2)}}end(e,t){if(!this.unlist(e))return;this.keepEnded(e),this.refuseEarly();let r=this.
runtime.isClosed?void 0:e.check,s={...t,hostTaskId:t.hostTaskId??e.hostTaskId};r===void 0?this.runtime.hosts.end(e,s):this.
runtime.hosts.endOnceChecked(e,s,r)}};function Bs(n){return new m("invalid_argument",`several sub-agents go by the host \
id ${y(n)}: report by task id`,{id:n})}i(Bs,"severalBy");function sa(n){try{return n?.taskId}catch{return}}i(sa,"hostId");var Wt=class{constructor(e,t,r){this.openHosts=0;this.arrived=[];this.endArrived=i(()=>{let{arrived:e}=this;e.length!==0&&
(this.arrived=[],this.endAll(e))},"endArrived");this.runtime=e,this.scratch=t,this.alarm=r,this.elsewhere=new Ut(e)}static{
i(this,"HostCalls")}start(e){try{let{spawnSubAgent:t,spawnBackgroundSubAgent:r}=this.runtime.functions;if(r!==void 0&&e.
background){this.elsewhere.start(e,r);return}if(t===void 0)throw new Error("no spawnSubAgent was given to the manager");
e.hostOpen=!0,this.openHosts+=1,this.alarm.keepAlive(!0);let s=t(e.params(),e.handedRun());(oa(s)?s:new Promise(a=>a(s))).
then(a=>this.hostReturned(e,a),a=>this.arrive(e,Gs(a)))}catch(t){this.end(e,Gs(t))}}end(e,t){e.hostIsOver||(e.returned=t,
this.endAll([e]))}arrive(e,t){e.returned=t,this.arrived.push(e)===1&&Promise.resolve().then(this.endArrived)}endAll(e){let t=b(),
r=G(this.runtime);try{for(let s of e)this.take(t,s)}catch(s){this.runtime.poison(s)}finally{J(r)}for(let{onHostOver:s}of e)
if(s!==void 0)for(let o of s)o();this.runtime.carryOut(),this.keepAwake()}take(e,t){t.hostIsOver||(t.hostIsOver=!0,this.
runtime.runs.returned(t),this.release(t),!this.runtime.isClosed&&this.tell(e,t.index,t.generation,t.run,this.bounded(t.returned)))}endManual(e,t,r){
if(this.runtime.check(),!this.runtime.call(()=>this.tell(b(),e,t,0,r)))throw this.runtime.refusal();this.runtime.runs.manualEnded(
e,r),this.runtime.carryOut(),this.runtime.expectSound()}tell(e,t,r,s,o){let{output:a,beside:u}=this.scratch.writeLeft(o),
{how:d,tokens:l,cost:c,turns:f,durationMs:p}=o;return this.runtime.core.hostReturned(e,t,r,s,d,a,u,l,c,f,p)}bounded(e){let{
output:t}=e;return t.length<=_?e:{...e,output:t.slice(0,Math.max(_,$(this.runtime,"maxResultBytes")+1))}}hostReturned(e,t){
let r=Ae(t),s=this.runtime.isClosed?void 0:e.check;s===void 0?this.arrive(e,r):this.whenChecked(r,s,o=>this.arrive(e,o))}endOnceChecked(e,t,r){
this.whenChecked(t,r,s=>this.end(e,s))}whenChecked(e,t,r){let s=Pr(e,t,$(this.runtime,"maxResultBytes"));s instanceof Promise?
this.runtime.alone(s.then(r)):r(s)}goOnWithout(e){e.hostOpen&&(this.release(e),this.keepAwake())}release(e){e.hostOpen&&
(e.hostOpen=!1,this.openHosts-=1)}keepAwake(){if(this.openHosts>0||this.runtime.isClosed)return;let e=this.runtime.unasked(
t=>t.hasQueued())===!0;this.runtime.isClosed||(this.runtime.keepAlive.hasQueued(e),this.alarm.keepAlive(e||this.runtime.
waits.areOpen))}};function Gs(n){return Ce(n),lt(w(n),n)}i(Gs,"thrown");function oa(n){return n instanceof Promise&&n.constructor===
Promise&&n.then===Promise.prototype.then}i(oa,"isPlainPromise");var Bt=class{constructor(e,t){this.count=0;this.queued=!1;this.alarm=e,this.manager=t}static{i(this,"KeepAlive")}begin(){
this.count+=1,this.count===1&&this.keep()}end(){this.count-=1,this.count===0&&this.keep()}hasQueued(e){this.queued!==e&&
(this.queued=e,this.keep())}clear(){this.count=0,this.queued=!1,this.keep()}keep(){this.alarm.keeps=this.count>0||this.queued?
this.manager:void 0}};var Gt=class{constructor(e){this.open=new Map;this.places=new WeakMap;this.runtime=e}static{i(this,"Pins")}pinAll(e){let t=$(
this.runtime,"retain")<e.length;return e.map(({index:r,generation:s})=>this.pin(r,s,t))}pin(e,t,r){let s=this.runtime.call(
u=>u.lastRun(e,t)),o={index:e,generation:t,run:s,taskId:this.runtime.lookup.taskId(e,t)};if(!this.runtime.call(u=>u.isOpen(
e,t,s)))return o.ended=this.read(o),o;r&&(o.begun=this.read(o));let a=this.open.get(e);return a===void 0?this.open.set(e,
[o]):a.push(o),o}has(e){return this.open.has(e)}ended(e,t,r,s){if(this.open.size===0)return;let o=this.open.get(e);if(o!==
void 0)for(let a of o)a.run===r&&a.generation===t&&(a.ended=this.asEnded(a,s))}retried(e,t,r){for(let s of this.open.get(
e)??[])s.run===r&&s.generation===t&&(s.run+=1)}asEnded(e,t){let r=this.read(e);if(r?.run===e.run)return r;let s=e.begun??
r;return s&&this.kept(e,{...s,...aa(e,t,Mt(this.runtime))})}unpin(e){for(let t of e){let r=this.open.get(t.index)?.filter(
s=>s!==t);r!==void 0&&(r.length===0?this.open.delete(t.index):this.open.set(t.index,r))}}told(e,t,r){let s=this.read(e);
if(t===1)return{told:t,view:r||s?.run===e.run?s??e.ended:e.ended??s};let o=typeof t=="string"?t:null,a=s!==void 0&&(s.status===
"running"||s.status==="pending")&&(r||s.run===e.run);return s===void 0||a&&(o===null||s.question===o)?{told:t,view:s}:{told:t,
view:this.kept(e,{...s,...ia,run:e.run,question:o})}}read(e){let{index:t,generation:r}=e,s=this.runtime.call(o=>o.get(t,
r,b()));return s&&this.kept(e,Ve(s))}kept(e,t){return this.places.set(t,e),t}placeOf(e){return this.places.get(e)}},ia={
status:"running",stopReason:null,output:"",error:null,endedAt:null,durationMs:null,partial:!1,truncated:!1,artifacts:[]};
function aa({run:n,begun:e},t,r){let{cause:s,started:o,artifacts:a,...u}=t,{durationMs:d,usage:l}=u,c=o?e?.startedAt??r-
d:null;return{...Object.fromEntries(Object.entries(u).map(([f,p])=>[f,p??null])),run:n,startedAt:c,endedAt:r,updatedAt:r,
parked:null,question:null,turns:l.turns,artifacts:[...a]}}i(aa,"endOf");function Js(n,e){let t=n.numbersView(),r=e/8,s=pe(t[r+5]),o=pe(t[r+13]);return{index:pe(t[r+0]),generation:pe(t[r+1]),run:pe(
t[r+2]),status:H[pe(t[r+3])]??"failed",stopReason:T[pe(t[r+4])]??"host_failed",partial:(s&1)!==0,hostStillRunning:(s&2)!==
0,truncated:(s&4)!==0,started:(s&16)===0,doubts:s>>>8,tokens:me(t[r+6]),nanos:me(t[r+7]),turns:me(t[r+8]),durationMs:me(
t[r+9]),output:(s&8)===0?void 0:n.read(me(t[r+10]),me(t[r+11])),raisedBy:o===0?null:n.read(me(t[r+12]),o),withoutValue:(s&
32)!==0,withoutArtifacts:(s&64)!==0}}i(Js,"readEnded");function pe(n){return n>>>0}i(pe,"unsigned");function me(n){let e=n|
0;return e===n?e:n}i(me,"whole");function Hs(n,{index:e,generation:t},r,s){let{status:o,stopReason:a,output:u,error:d,hostStatus:l,figures:c}=s,f=n.writeLeft(
{output:u,error:d??void 0,hostStatus:l??void 0});return n.call(p=>p.resultText(e,t,r,H.indexOf(o),T.indexOf(a),c.turns??
-1,c.costUsd??-1,c.durationMs??-1,f.output,f.beside))}i(Hs,"endText");var da=Object.freeze([]),la=Object.freeze([]);function Vs(n){return(n&7)===0?da:wn(n)}i(Vs,"dimensions");var te=class n{static{
i(this,"RunResult")}#e;constructor(e,t,r){this.#e=e,this.run=e.run,this.status=t.status,this.stopReason=t.stopReason,this.
output=t.output??r?.output??"",this.partial=t.partial,this.truncated=t.truncated,this.error=r?.error,this.cause=r?.cause,
this.hostStatus=r?.hostStatus,this.hostTaskId=r?.hostTaskId??e.hostTaskId,this.hostStillRunning=t.hostStillRunning,this.
artifacts=r?.artifacts??la,this.value=r?.valueJson===void 0?void 0:r.value;let{tokens:s,nanos:o,turns:a,doubts:u}=t;this.
usage={tokens:s,costUsd:o/1e9,turns:a,unknown:Vs(u),invalid:Vs(u>>>8)},this.durationMs=t.durationMs,this.started=t.started,
this.raisedBy=t.raisedBy}get taskId(){return this.#e.taskId}get success(){return this.status==="completed"}get backgrounded(){
return this.status==="running"||this.status==="pending"}get report(){let e=this.#e;return cs(this,e.run===this.run?e.agent:
void 0,e.runtime,e)}get text(){let e=this.#e;return e.format==="json"?ve(this.report):Hs(e.runtime,e,this.run,this.#t)}get#t(){
let{status:e,stopReason:t,output:r,error:s,hostStatus:o}=this;return{status:e,stopReason:t,output:r,error:s,hostStatus:o,
figures:this.figures}}get figures(){return jt(this.usage,this.started,this.durationMs)}toJSON(){let{cause:e,...t}=this;return{
taskId:this.taskId,success:this.success,...t}}static movedToBackground(e){let{runtime:t,index:r,generation:s}=e;if(!t.call(
a=>a.isOpen(r,s,e.run)))return;let o=t.lookup.snapshot(r,s);return o.background&&!o.cancelRequested?n.of({...o,output:_t(
o)},e):void 0}static of(e,t){let s={...Object.fromEntries(Object.entries(e).map(([p,h])=>[p,h??void 0])),valueJson:e.value===
null?void 0:""},{runtime:o,index:a,generation:u}=t,d=o.call(p=>p.lastEnd(a)),l=o.call(p=>p.raisedBy(a,u))??null,c={status:H[d%
256],stopReason:T[d>>>8],partial:e.partial,truncated:e.truncated,hostStillRunning:e.hostStillRunning,started:e.startedAt!==
null,tokens:e.usage.tokens,nanos:e.usage.costUsd*1e9,turns:e.usage.turns,doubts:0,durationMs:e.durationMs??0,output:e.output,
raisedBy:l},f=new n(t,c,s);return Object.assign(f,{run:e.run,usage:e.usage})}};function qs(n,e,t){let{asking:r}=n;n.asking=void 0,r!==void 0&&(e===0?r.resolve({answered:!0,answer:t}):r.resolve(e===1?
{answered:!1,reason:"timeout"}:ca(n)))}i(qs,"askDone");async function ca(n){return await void 0,fa(n)}i(ca,"stopped");function fa(n){
if(n.isLeft)throw ae("asks");return{answered:!1,reason:"stopped"}}i(fa,"unanswered");function qn(n,e,t){let r=n.call(a=>a.
question(e,t)),s=n.lookup.taskId(e,t),o=`the sub-agent ${s} asks and waits for a message`;return new m("needs_input",r===
void 0?o:`${o}: '${E(r,Qe)}'`,{taskId:s,question:r??null})}i(qn,"needsInput");function Yn(n,e,t){return`${n} ${e} ${t}`}i(Yn,"nameOf");var Jt=class{constructor(e){this.open=[];this.endedOpen=new Map;
this.manualEnds=new Map;this.awaited=new Set;this.putOff=[];this.outputs=void 0;this.starting=i(e=>{let{gates:t,hosts:r}=this.
runtime;t.sub.has("before_start")?t.start(e):r.start(e)},"starting");this.runtime=e,B.standAlone()}static{i(this,"Runs")}keep(e){
this.open[e.index]===void 0&&this.runtime.keepAlive.begin(),this.open[e.index]=e}startRun(e,t,r,s){if(this.runtime.isClosed)
return;let o=this.find(e,t,r)??this.found(e,t,r);o!==void 0&&(o.text===void 0&&this.readText(o),o.knowsTools=s,this.runtime.
contexts.run(e,t,this.starting,o))}found(e,t,r){let s=this.newActive(e,t,r);if(!this.runtime.call(o=>o.isOpen(e,t,r))){this.
runtime.hosts.end(s,Oe());return}return this.keep(s),s}readText(e){e.text=this.runtime.call(t=>t.message(e.index))}newActive(e,t,r){
let s=new B(this.runtime,void 0);return s.index=e,s.generation=t,s.run=r,s}find(e,t,r){let s=this.open[e];return s?.run===
r&&s.generation===t?s:void 0}findOpen(e,t,r){return this.find(e,t,r)??this.endedOpen.get(Yn(e,t,r))}runEnded(e){let{pins:t,
scratch:r}=this.runtime,s=Js(r,e),{index:o,generation:a,run:u,stopReason:d}=s,l=this.find(o,a,u);if(l?.hostOpen!==!0&&this.
runtime.hosts.keepAwake(),l===void 0){if(!t.has(o))return!1;let h=this.manualEnds.get(o);return this.manualEnds.delete(o),
t.ended(o,a,u,new te(this.newActive(o,a,0),s,h)),!1}this.open[o]=void 0,this.runtime.keepAlive.end(),s.hostStillRunning&&
!l.hostIsOver&&(this.endedOpen.set(Yn(o,a,u),l),this.runtime.hosts.goOnWithout(l)),l.unfollow?.(),l.agent?.stop();let c=!l.
hostIsOver&&!l.hostOpen;c&&this.putOff.push(()=>l.abort(d));let f=s.hostStillRunning?void 0:l.returned??pa(l.before);if(d===
"policy"&&(f=this.madeByPolicy(l,f??Oe(),s)),l.result=new te(l,s,f),t.ended(o,a,u,l.result),this.outputs!==void 0&&(this.
outputs[o]=l),l.followers!==void 0)for(let{resolve:h}of l.followers)h(l.result);l.named?.resolve();let p=l.turn;return p!==
void 0&&(l.turn=void 0,p.resolve({go:!1,reason:d})),c}allTold(){let e=this.putOff;this.putOff=[];for(let t of e)t()}keepOutputs(e){
this.outputs=e?[]:void 0}textOf(e,t){return this.find(e,t,1)?.text}outputOf(e,t,r){let s=this.outputs?.[e];if(!(this.outputs===
void 0||s?.run!==r||s.generation!==t))return this.outputs[e]=void 0,s.result?.output}manualEnded(e,t){this.runtime.pins.
has(e)&&this.manualEnds.set(e,t)}runRetried(e,t,r,s){let{pins:o,sessionData:a,hosts:u}=this.runtime;a.empty(e,t),o.retried(
e,t,r),u.keepAwake();let d=this.find(e,t,r);if(d===void 0)return;d.agent?.stop();let l=T[s]??"host_failed";d.turn?.resolve(
{go:!1,reason:l}),d.turn=void 0,this.open[e]=d.nextAttempt(l)}madeByPolicy({index:e,generation:t,agent:r},s,{withoutValue:o,
withoutArtifacts:a}){let u=this.runtime.call(c=>c.status(e,t))<0,d=r?.blockedBecause,l=u?d&&at(d,$(this.runtime,"maxResu\
ltBytes")):this.runtime.lookup.snapshot(e,t).error??void 0;return{...s,error:l,artifacts:a?void 0:s.artifacts,valueJson:o?
void 0:s.valueJson}}abortRun(e,t,r,s){let o=this.findOpen(e,t,r);if(o===void 0)return;o.agent?.stop();let a=T[s]??"cance\
lled";this.runtime.contexts.run(e,t,u=>o.abort(u),a),o.isLeft&&this.runtime.waits.leave(o)}policiesDue(e,t,r,s){let o=this.
findOpen(e,t,r);if(o===void 0)return;let a=T[s];a==="timeout"||a==="idle_timeout"?this.runtime.contexts.run(e,t,u=>this.
runtime.gates.timedOut(o,u),a):o.agent?.overdue()}askDone(e,t,r,s,o,a){let u=this.find(e,t,r);u!==void 0&&qs(u,s,this.runtime.
scratch.read(o,a))}turnReady(e,t,r){let s=this.find(e,t,r);if(s===void 0)return!1;let o=s.takeStart();if(o!==void 0)return this.
putOff.push(()=>this.runtime.contexts.run(e,t,o,void 0)),!0;let{turn:a}=s,u=a&&this.beginTurn(s,a.estimate);return u!==void 0&&
(s.turn=void 0,a?.resolve(u)),!1}activeOf(e,t){let r=this.open[e];if(r!==void 0&&r.generation===t)return r;let s=this.runtime.
call(a=>a.lastRun(e,t));if(s===0||!this.runtime.call(a=>a.isOpen(e,t,s)))return;let o=this.newActive(e,t,s);return this.
keep(o),o}takeTurn(e,t){let r=this.beginTurn(e,t),s=r===void 0?new Promise((o,a)=>{e.turn={estimate:t,resolve:o,reject:a}}):
Promise.resolve(r);return this.runtime.carryOut(),s}beginTurn({index:e,generation:t,run:r},{tokens:s,cost:o}){let a=this.
runtime.call(p=>p.beginTurn(b(),e,t,r,s,o));if(a===0)return;if(a===-1)return{go:!1,reason:"actor_ended"};if(a<0)return{go:!1,
reason:T[-2-a]??"cancelled"};let{turn:u,injects:d,wrapUp:l}=vt(a),c=d?{inject:this.runtime.call(p=>p.takeInject())}:void 0;
if(l===void 0)return{go:!0,turn:u,...c};let f=this.runtime.call(p=>({tokens:p.heldTokens(e),costUsd:p.heldDollars(e)}));
return{go:!0,turn:u,wrapUp:!0,reason:l,...f,...c}}returned(e){this.endedOpen.size>0&&this.endedOpen.delete(Yn(e.index,e.
generation,e.run)),this.awaited.size>0&&this.awaited.delete(e)}untilOver(e){return new Promise(t=>{e.onHostOver??=[],e.onHostOver.
push(t),this.awaited.add(e)})}batchOver(){this.endedOpen.clear()}close(e){for(let t of this.open)if(t!==void 0){t.turn?.
reject(e),t.turn=void 0,t.asking?.reject(e),t.asking=void 0;for(let{reject:r}of t.followers??[])r(e);t.named?.resolve(),
t.unfollow?.(),t.agent?.stop(),t.abort(e.code==="disposed"&&this.runtime.journal===void 0?"cancelled":"host_lost")}for(let{
onHostOver:t=[]}of this.awaited)for(let r of t)r();this.awaited.clear(),this.open.length=0,this.manualEnds.clear()}};function pa(n){
return n&&{...Oe(),error:n.error,cause:n.cause}}i(pa,"errorOf");var Ht=class{constructor(e){this.kept=new Map;this.runtime=e}static{i(this,"SessionData")}of(e,t){return this.keptOf(e,t).
values}empty(e,t){let r=this.kept.get(e);r?.generation===t&&r.values.clear()}check(e,t,r){this.keptOf(e,t).check=r}checkOf(e,t){
if(this.kept.size===0)return;let r=this.kept.get(e);return r?.generation===t?r.check:void 0}keptOf(e,t){let r=this.kept.
get(e);if(r?.generation===t)return r;if(this.runtime.call(o=>o.status(e,t))<0)throw new m("forgotten","this sub-agent ha\
s been forgotten");this.runtime.call(o=>o.tellForgotten());let s={generation:t,values:new Map};return this.kept.set(e,s),
s}taskForgotten(e,t){this.kept.size>0&&this.kept.get(e)?.generation===t&&this.kept.delete(e)}clear(){this.kept.clear()}};function Ys(n){let e=n.call(r=>r.claimed()),t=[];for(let r=0;r<e.length;r+=3){let[s,o,a]=e.subarray(r,r+3),u=n.call(d=>d.
deliveryId(s,o,a));t.push({deliveryId:u,taskId:n.lookup.taskId(s,o),run:a})}return t}i(Ys,"claimedEnds");var ga="only the waiting was aborted: what was to be stopped is being stopped all the same";var Vt=class{constructor(e){this.open=[];this.crowded=new Map;this.count=0;this.untilClosed=new Set;this.runtime=e}static{
i(this,"Waits")}get areOpen(){return this.count>0||this.untilClosed.size>0}waitFor(e,t,r,s){this.runtime.check();let{index:o,
generation:a}=t,u=this.runtime.runs.activeOf(o,a),d=r===Number.POSITIVE_INFINITY&&e.run===0&&!this.runtime.listeners.listening,
l=d?0:b(),c=G(this.runtime),f;try{f=this.runtime.core.wait(l,e.index,e.generation,e.run,o,a,r)}catch(h){throw this.runtime.
poison(h)}finally{J(c)}if(f===-1)throw this.runtime.refusal();if(f<0){let h=this.answered(f,t);return this.runtime.carryOut(),
h}let p=this.waiting(f,u,e,s);return d||this.runtime.carryOut(),p}answered(e,t){return e===-4?this.runtime.answer(void 0):
e===-3?this.runtime.answer(Promise.reject(qn(this.runtime,t.index,t.generation))):this.runtime.answer(this.pastResult(t))}waiting(e,t,r,s){
let o,a,u=new Promise((d,l)=>{o=d,a=l});return this.keep({wait:e,active:t,actor:r,resolve:o,reject:a},s),this.runtime.hosts.
keepAwake(),u}pastResult({index:e,generation:t,latest:r}){let s=this.runtime.call(o=>o.lastRun(e,t));return r.result!==void 0&&
(s===0||r.run===s)?r.result:te.of(this.runtime.lookup.snapshot(e,t),r)}waitMany(e,t,{all:r,idle:s,timeoutMs:o},a,u){let d=new Uint32Array(
t.flatMap(p=>[p.index,p.generation])),l=(r?1:0)|(s?2:0),c=this.runtime.call(p=>p.waitMany(b(),e.index,e.generation,e.run,
d,l,o));if(c===-1)throw this.runtime.refusal();if(c>=0)return this.opened(c,u,void 0,a,e);let f=a(c===-4,this.runtime.call(
p=>p.told())??[]);return this.runtime.carryOut(),Promise.resolve(f)}cancel(e,t,r,s,o=Number.NaN,a){return this.stop(u=>u.
cancel(b(),e.index,e.generation,e.run,t,r,T.indexOf(s),o),a)}stop(e,t){let r=this.runtime.call(e);if(r===-1)throw this.runtime.
refusal();let s={acked:Ys(this.runtime)},o=this.opened(r,t,ga);return r===-2?Promise.resolve(s):o.then(()=>s)}opened(e,t,r,s,o){
let a=e===-2?Promise.resolve(void 0):new Promise((u,d)=>{this.keep({wait:e,active:void 0,actor:o,read:s,resolve:u,reject:d},
t,r),this.runtime.hosts.keepAwake()});return this.runtime.carryOut(),a}drain(e){this.runtime.act(r=>r.startDrain(b(),e));
let t=this.runtime.call(r=>r.drain(b(),e));return this.runtime.keepAlive.begin(),new Promise((r,s)=>{this.untilClosed.add(
s),this.runtime.hosts.keepAwake(),t.then(o=>{this.untilClosed.delete(s)&&this.runtime.keepAlive.end(),this.runtime.hosts.
keepAwake(),r(o)},o=>s(this.runtime.poison(o)))})}keep(e,t,r="the wait was aborted; that touches no sub-agent"){let{wait:s}=e,
o=ee(s);this.open[o]===void 0?this.open[o]=e:this.crowded.set(s,e),this.runtime.keepAlive.begin(),this.count+=1,t!==void 0&&
this.follow(e,t,r)}take(e){let t=ee(e),r=this.open[t];if(r?.wait===e)return this.open[t]=void 0,r;if(this.crowded.size===
0)return;let s=this.crowded.get(e);return this.crowded.delete(e),s}done(e,t,r){let s=this.take(e);if(s===void 0)return;this.
runtime.keepAlive.end(),this.count-=1,this.runtime.hosts.keepAwake();let{resolve:o,unfollow:a}=s,u=s.active?.latest;a?.();
try{u===void 0?o(s.read===void 0?t:s.read(t,r??[])):u.result===void 0&&!t?this.endWithout(s,u):o(t?void 0:u.result)}catch(d){
s.reject(d)}}endWithout({actor:e,aborted:t,resolve:r,reject:s},o){let{index:a,generation:u}=o,{runtime:d}=this;if(d.call(
c=>c.question(a,u))!==void 0){r(d.answer(Promise.reject(qn(d,a,u))));return}let l=te.movedToBackground(o);l!==void 0?r(d.
answer(l)):t!==void 0?s(t):e!==void 0&&this.waitFor(e,o,Number.POSITIVE_INFINITY).then(r,s)}rejectAll(e){for(let t of[...this.
open,...this.crowded.values()])t!==void 0&&(t.unfollow?.(),t.reject(e));this.open.length=0,this.crowded.clear(),this.count=
0;for(let t of this.untilClosed)t(e);this.untilClosed.clear()}leave({index:e,generation:t,run:r}){for(let s of[...this.open,
...this.crowded.values()]){let o=s?.actor;s===void 0||o?.index!==e||o.generation!==t||o.run!==r||this.abort(s,ae("waits"))}}abort(e,t){
e.aborted=t;let{wait:r}=e;this.runtime.unasked(s=>s.endWait(b(),ee(r),r))!==!1&&e.reject(t),this.runtime.carryOut()}follow(e,t,r){
let{wait:s}=e,o=ee(s),a=i(()=>{if(this.open[o]!==e&&this.crowded.get(s)!==e)return;let u=mt(this.runtime,t);this.abort(e,
u?ae("waits"):new m("aborted",r,{},{cause:t.reason}))},"fire");if(t.aborted){a();return}e.unfollow=Hn(t,a)}};var qt=class{static{i(this,"Wakes")}#e;#t=new Map;#n=new Set;#r=new Set;constructor(e){this.#e=e}register(e,t,r){if(r===
void 0)this.#t.delete(e);else{this.#t.set(e,{scope:t,onWake:Te(r)});let{journal:s}=this.#e;s?.isStarted===!0&&(this.#e.unasked(
o=>o.pendingNotices(e))??0)>0&&this.mark(e)}}mark(e){this.#t.has(e)&&(this.#n.size===0&&queueMicrotask(()=>this.#s()),this.#n.
add(e),!this.#r.has(e)&&(this.#r.add(e),this.#e.keepAlive.begin()))}review(){for(let e of this.#r)this.#t.has(e)&&this.#e.
unasked(t=>t.noticesWait(e))===!0||this.#r.delete(e)&&this.#e.keepAlive.end()}clear(){this.#t.clear(),this.#r.clear()}#s(){
let e=this.#n;this.#n=new Set;for(let t of e){let r=this.#t.get(t),s=this.#e.unasked(o=>o.pendingNotices(t));r===void 0||
s===void 0||s===0||(this.#e.tell(()=>r.onWake(r.scope,{pending:s})),this.#e.unasked(o=>o.woken(b(),t)),this.#e.carryOut())}
this.review()}};function Xs(n){return Object.entries(n.properties).map(([t,r])=>({means:t,name:t,schema:r,required:n.required.includes(t)}))}
i(Xs,"fieldsIn");function Zs(n,e){try{return ba(n,e)}catch(t){return{mistakes:[`the arguments can't be read: ${E(w(t),Xe)}`]}}}
i(Zs,"checkFields");function qe(n){return(typeof n=="string"?n.trim()===""?void 0:JSON.parse(n):n)??{}}i(qe,"parsed");function ba(n,e){
let t=qe(e);if(typeof t!="object"||Array.isArray(t))return{mistakes:[`the arguments must be an object, got ${y(t)}`]};let r=[],
s={},o=[];for(let{means:a,name:u,schema:d,required:l}of n){let c=oe(t,u),f=Array.isArray(c)?gr(`\`${u}\``,c):c;if(f==null)
f===null&&o.push(u),l&&r.push(`\`${u}\` is missing: it must be ${Qs(d)}`);else if(ya(d,f))s[a]=f;else{let p=i(k=>typeof k!=
"string","isOther"),h=Array.isArray(f)&&f.some(p)?`one with ${y(f.find(p))}`:y(f);r.push(`\`${u}\` must be ${Qs(d)}, got\
 ${h}`)}}return r.length>0?{mistakes:r}:{params:s,given:t,nulls:o}}i(ba,"check");function ya(n,e){switch(n.type){case"st\
ring":return typeof e!="string"?!1:n.enum===void 0?n.minLength===void 0||e.trim()!=="":n.enum.includes(e);case"boolean":
return typeof e=="boolean";case"array":return Array.isArray(e)&&e.length>=(n.minItems??0)&&e.every(t=>typeof t=="string");case"\
integer":return Number.isSafeInteger(e)&&zs(n,e);case"number":return typeof e=="number"&&Number.isFinite(e)&&zs(n,e)}}i(
ya,"fits");function zs({minimum:n,maximum:e,exclusiveMinimum:t},r){return(n===void 0||r>=n)&&(e===void 0||r<=e)&&(t===void 0||
r>t)}i(zs,"inRange");function Qs(n){switch(n.type){case"string":return n.enum!==void 0?`one of ${n.enum.join(", ")}`:n.minLength===
void 0?"a text":"a text that is not empty";case"boolean":return"true or false";case"array":return n.minItems===void 0?"a\
 list of texts":`a list of at least ${n.minItems} text${n.minItems===1?"":"s"}`;case"integer":case"number":{let{minimum:e,
maximum:t,exclusiveMinimum:r}=n,s=n.type==="integer"?"a whole number":"a number",o=e!==void 0?` of at least ${e}`:r!==void 0?
` above ${r}`:"";return`${s}${o}${t===void 0?"":`${o===""?" of":" and"} at most ${t}`}`}}}i(Qs,"expected");var zn=5;function eo(n,e){try{let t=qe(n);if(typeof t!="object"||Array.isArray(t)||Object.keys(t).every(u=>e.includes(u)))
return"";let r=Object.entries(Object.getOwnPropertyDescriptors(t)).flatMap(([u,{enumerable:d,value:l}])=>d===!0&&l!==void 0&&
l!==null?[u]:[]),s=r.filter(u=>!e.includes(u)),o=e.filter(u=>!r.includes(u));return`${s.slice(0,zn).map(u=>{let d=et(u,o);
return`\`${E(u)}\`${d===void 0?"":` (did you mean \`${d}\`?)`}`}).join(", ")}${s.length>zn?` and ${s.length-zn} more`:""}`}catch{
return""}}i(eo,"ignoredOf");function to(n,e){let t=ka(n);return t===void 0?`${n}
Ignored: ${e}.`:Array.isArray(t)?n:be({...t,ignored:e})}i(to,"withIgnored");function ka(n){if(/^[{[]/.test(n))try{return JSON.
parse(n)}catch{return}}i(ka,"jsonIn");function no(n,e){let t=i(async(l,c)=>{let f=eo(l,o),{text:p,details:h}=await e.call(l,c);return{text:f===""?p:to(p,f),details:h}},
"call"),r={...e,call:i((l,c)=>n.answer(t(l,c)),"call")},s=Oa({...r.schema},l=>r.check(l)),o=Object.keys(s.properties),{name:a,
label:u,description:d}=r;return{name:a,label:u,description:d,parameters:s,inputSchema:s,execute(...l){return l.length>1&&
wa(l[0])?xa(r,l):Sa(r,l)}}}i(no,"toolObject");function wa(n){return typeof n=="string"&&!/^\s*[{["]/.test(n)}i(wa,"isCal\
lId");async function xa(n,e){let[t,r,s,o]=e,a=typeof o!="function"?void 0:l=>{let c=l(),f={content:[{type:"text",text:c.
text}],details:n.detailsOf(c)};return o(f)},{text:u,details:d}=await n.call(r,{signal:ro(s),toolCallId:t,progress:a});return{
content:[{type:"text",text:u}],details:d}}i(xa,"calledByPi");function Sa(n,e){let t=new Qn,r=(async()=>{let[s,o]=e,{signal:a,
abortSignal:u,toolCallId:d,onUpdate:l,writer:c,outputWriter:f}=O("the options of the call",()=>{let x=i(he=>oe(Object(o),
he),"given"),[R,j,S]=[x("signal"),x("abortSignal"),x("toolCallId")];return{signal:R,abortSignal:j,toolCallId:S,onUpdate:x(
"onUpdate"),writer:x("writer"),outputWriter:x("outputWriter")}}),p=typeof l=="function"?l:Aa(c,f,d),h=i(x=>(t.push(x),p?.(
x())),"progress"),k={signal:ro(a??u),toolCallId:typeof d=="string"?d:void 0,progress:h};return(await n.call(s,k)).text})();
return Object.defineProperty(r,Symbol.asyncIterator,{value:i(()=>t.until(r),"value")})}i(Sa,"called");function ro(n){return tt(
"`signal`",n??void 0)}i(ro,"signalFrom");function Aa(n,e,t){if(typeof n=="function")return r=>n({type:"subagent-progress",
toolCallId:t,...r});if(typeof e=="function")return r=>{Promise.resolve(e({type:"data-subagent-progress",data:{toolCallId:t,
...r}})).catch(()=>{})}}i(Aa,"sinkOf");var Qn=class{constructor(){this.newest=void 0;this.count=0;this.due=0;this.isRead=
!1;this.timer=void 0;this.waiting=[]}static{i(this,"Updates")}push(e){this.newest=e,this.count+=1,this.isRead&&this.arm()}arm(){
this.timer??=setTimeout(()=>{this.timer=void 0,this.due=this.count,this.wake()},0)}wake(){for(let e of this.waiting.splice(
0))e()}async*until(e){this.isRead=!0,this.count>this.due&&this.arm();let t=!1,r=0,s=i(()=>{t=!0,clearTimeout(this.timer),
this.wake()},"end");for(e.then(s,s);;)if(this.newest!==void 0&&this.due>r)r=this.due,yield this.newest().text;else{if(t)
break;await new Promise(o=>{this.waiting.push(o)})}yield await e}};function Oa(n,e){let t=i(()=>structuredClone(n),"plai\
n");return Object.defineProperty(n,"~standard",{enumerable:!1,value:{version:1,vendor:"subagents",validate(r){let s=e(r);
return"params"in s?{value:qe(r)}:{issues:s.mistakes.map(o=>({message:o}))}},jsonSchema:{input:t,output:t}}})}i(Oa,"withS\
tandard");function so(n){return n===void 0?"Send it a message to answer.":`${n} answers it.`}i(so,"howToAnswer");var Xn={abandoned_limit:"Do the work yourself.",budget_exhausted:"Do the work yourself.",children_limit:"Wait until one \
ends, or do the work yourself.",concurrency_limit:"Wait until one ends, or do the work yourself.",depth_limit:"Do the wo\
rk yourself.",draining:"Do the work yourself.",queue_full:"Wait until one ends, or do the work yourself.",tasks_limit:"D\
o the work yourself."},oo=new Set(["abandoned_limit","children_limit","concurrency_limit","queue_full","tasks_limit"]);function Ye(n,e,t,r){if(t===void 0)return r.text;try{let s=t(r);if(typeof s=="string"&&s!=="")return s;n.report(g(`what \
\`texts.${e}\` returns`,"a text that is not empty",s))}catch(s){n.report(s)}return r.text}i(Ye,"said");function Zn(n,{taskId:e,hostTaskId:t}){if(t===null)return e;let r=n.write(e),s=n.call(u=>u.find(0,0,0,r));if(s<0)return e;
let{index:o,generation:a}=K(s);return n.call(u=>u.toldId(o,a))}i(Zn,"idTold");var Yt=class{static{i(this,"Answers")}constructor(e,t,r){this.runtime=e,this.options=t,this.others=r}why(e){let{argument:t}=e.
details,r=typeof t=="string"?this.others.fields?.[t]:void 0;return r===void 0?Me(e):Me(e).replaceAll(`\`${t}\``,`\`${r}\``)}refused(e,t,r=Ra(
t)){let s=`No sub-agent was started: ${e}`,{texts:o}=this,a=r===void 0?Ye(this.runtime,"refused",o?.refused,{reason:e,text:s}):
Ye(this.runtime,"limitReached",o?.limitReached,{...r,text:s}),u=this.detailsOfNone(t),{taskId:d,status:l}=u;return{text:this.
told(a,d||null,l,a),details:u}}reported(e){let t=this.detailsOfNone();return{text:this.isJson&&Cn(e)===void 0?ve({...Et(
null,"refused",null),output:e}):e,details:t}}started(e,t){let{taskId:r,hostTaskId:s,index:o,generation:a}=e,{collect:u}=this.
others,d=this.runtime.call(R=>R.toldId(o,a)),l=e.snapshot(),{label:c}=l,f=ao(l),p=`${_t({label:c,taskId:d})}${u===void 0?
"":` ${u} gets its result.`}`,h=Ye(this.runtime,"started",this.texts?.started,{id:d,taskId:r,hostTaskId:s,label:c,text:p}),
k=this.told(h,r,f),x={taskId:r,background:!0,status:f,durationMs:null,turns:null,cost:null};return s!==void 0&&(x.hostTaskId=
s),{text:k,details:this.withModel(x,t)}}startedBefore(e){let{taskId:t,status:r,label:s,modelId:o}=e,a=`Subagent [${E(s,re)}\
] was started before (id: ${Zn(this.runtime,e)}); it is ${r}.`;return{text:this.told(a,t,r),details:this.withModel(io(e,
!0,r),o??void 0)}}goesOn(e){let t=ao(e),r=`The call was aborted; sub-agent ${Zn(this.runtime,e)}, which was started befo\
re, goes on.`;return{text:this.told(r,e.taskId,t),details:this.withModel(io(e,!1,t),e.modelId??void 0)}}asked(e,t,r){let{
index:s,generation:o,taskId:a}=e,d=`${t===void 0?`Subagent [${E(e.brief().label,re)}] (id: ${this.runtime.call(f=>f.toldId(
s,o))}) asked, and has been answered meanwhile.`:`${t}
${so(this.others.answer)}`} It goes on in the background; I'll notify you when it completes.`,l=this.isJson?ve({...Et(a,
"running",null),output:d}):d,c={taskId:a,background:!0,status:"running",durationMs:null,turns:null,cost:null};return{text:l,
details:this.withModel(c,r)}}ended(e,t,r){let{status:s,hostStatus:o}=t,{turns:a,costUsd:u,durationMs:d}=t.figures,{rest:l}=this.
others,f=l!==void 0&&!this.isJson&&this.runtime.write(t.output)>$(this.runtime,"inlineBytes")?`${t.text}
${l} shows what was left out.`:t.text,p={taskId:e.taskId,background:e.background,status:s,durationMs:d,turns:a,cost:u};t.
hostTaskId!==void 0&&(p.hostTaskId=t.hostTaskId),o!==void 0&&(p.hostStatus=o),t.artifacts.length>0&&(p.artifacts=t.artifacts);
let h=s==="completed"?"completed":"failed",k=this.texts?.[h];return{text:k===void 0?f:Ye(this.runtime,h,k,this.factsOf(e,
t,p,f)),details:this.withModel(p,r)}}forgotten(e,t){let{taskId:r,background:s}=e,o="forgotten",a=`Sub-agent ${r} was end\
ed before it had done anything, and has been forgotten.`,u={taskId:r,background:s,status:o,durationMs:null,turns:null,cost:null};
return{text:this.told(a,r,o,a),details:this.withModel(u,t)}}detailsOfNone(e){let t=e?.code==="idempotency_forgotten",r=t?
e.details.taskId:"",s=t?"forgotten":"refused";return this.withModel({taskId:r,background:!1,status:s,durationMs:null,turns:null,
cost:null})}get texts(){return this.isJson?void 0:this.options.texts}get isJson(){return this.options.format==="json"}told(e,t,r,s=null){
return this.isJson?ve(Et(t,r,s)):e}factsOf(e,t,{turns:r,cost:s,durationMs:o},a){let{taskId:u,index:d,generation:l}=e,{hostTaskId:c,
status:f,stopReason:p,output:h}=t,k=this.runtime.call(S=>S.toldId(d,l)),x=Ta(e),R=a.indexOf(`
`),j=R<0?"":a.slice(R+1);return{id:k,taskId:u,hostTaskId:c,label:x,status:f,stopReason:p,turns:r,cost:s,durationMs:o,output:h,
fenced:j,text:a}}withModel(e,t){try{let r=t??this.runtime.functions.getModelId?.();return typeof r=="string"?{...e,modelId:r}:
e}catch{return e}}};function io(n,e,t){return{...va(n),taskId:n.taskId,background:e,status:t,durationMs:null,turns:null,
cost:null}}i(io,"openDetails");function ao({status:n}){return n==="pending"?"pending":"running"}i(ao,"underWay");function ne(n){
return ln(n)&&n.code!=="disposed"&&n.code!=="internal"&&!Dr(n)}i(ne,"isRefusal");function Ta(n){try{return n.brief().label}catch(e){
if(ne(e))return"";throw e}}i(Ta,"labelOf");function Ra(n){if(n===void 0||!oo.has(n.code))return;let{active:e,limit:t}=n.
details;return{active:e,limit:t}}i(Ra,"fullBy");function va({hostTaskId:n}){return n===null?{}:{hostTaskId:n}}i(va,"host\
IdOf");function uo(n){let e=0,t="";return(r,s)=>{e=s.turn??e,t=s.message??t;let o={turn:e,message:t};r.runtime.tell(()=>{let{label:a}=r.
brief();return n(()=>ja({taskId:r.taskId,label:a,...o}))})}}i(uo,"watcher");function ja(n){let{label:e,turn:t,message:r}=n,
s=t===0?"has started":`is at turn ${t}`,o=`[${E(e,re)}] ${s}${r===""?"":`: ${E(r,Qe)}`}`;return{...n,text:o}}i(ja,"progr\
essOf");var zt=class{static{i(this,"SpawnCall")}constructor(e,t,r,s={},o=!1){this.isAlone=o,this.runtime=e,this.actor=t,this.options=
Object.assign(Object.create(null),r),this.answers=new Yt(e,this.options,s)}async run(e,t){this.runtime.check();let{onDetails:r}=this.
options;if(r===void 0)return this.answer(e,t);let s=await this.runtime.answer(this.answer(e,t));return this.runtime.tell(
()=>r(s.details,t.toolCallId)),s}async answer(e,t){let{signal:r,toolCallId:s,progress:o}=t,a=i((S,he)=>this.runtime.refusals.
tell("spawn",this.actor,S,he),"tell");if("mistakes"in e){let S=e.mistakes.join("; ");return a(null,new m("invalid_argume\
nt",S)),this.answers.refused(`${S}. Correct the arguments and call again.`)}let{params:u,checked:d}=e,l=d.instructions??
null,c=this.hostLimit();if(c!==void 0)return a(l,new m("spawn_denied",c.why)),this.answers.refused(c.why,void 0,c.full);
if(r?.aborted===!0)return a(l,new m("aborted","the call was aborted before it began")),this.answers.refused("the call wa\
s aborted before it began.");let f,p,{backgroundTimeoutMs:h}=this.options,[k,x,R]=[this.keyOf(s,u),this.originOf(),this.
metadataOf(s,u)];try{let S=V("what `idempotencyKey` returns",k),he={...d,...S!==void 0&&{idempotencyKey:S},...x!==void 0&&
{origin:x},...R!==void 0&&{metadata:R}};p=Be(he,this.runtime,!0),p.background&&h!==void 0&&(p=Be({...he,timeoutMs:h},this.
runtime,!0)),p.signal=r,p.answers=this.answerers,this.options.format==="json"&&(Ot(p).json=!0),o!==void 0&&!p.background&&
(p.watch=uo(o)),f=$s(this.runtime,this.actor,p,u)}catch(S){if(!ne(S))throw S;return a(l,S),typeof S.details.report=="str\
ing"?this.answers.reported(S.details.report):this.answers.refused(`${Ia(this.answers.why(S))}${co(S.code)}`,S)}let j=p.staged?.
modelId??this.modelOf(f);try{return p.repeated===!0?await this.repeated(f,p.background,r):p.background?(await(f.named&&rr(
f.named.promise,$(this.runtime,"graceMs"))),this.runtime.hosts.endArrived(),this.runtime.check(),Ea(r)||this.isAlone&&f.
result?.success===!1?await this.outcome(f,j):this.movedOn(f,j)):await this.outcome(f,j)}catch(S){if(ne(S)&&f.result!==void 0)
return this.answers.ended(f,f.result,j);if(ne(S)&&S.code==="forgotten")return this.answers.forgotten(f,j);throw S}}async outcome(e,t){
try{let r=await this.runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY);return r.backgrounded?this.movedOn(e,t):
this.answers.ended(e,r,t)}catch(r){if(ne(r)&&r.code==="needs_input")return this.asks(e,t);throw r}}keyOf(e,t){let{idempotencyKey:r}=this.
options;return r===void 0?void 0:r(e,t)}metadataOf(e,t){let{metadata:r}=this.options;return typeof r=="function"?r(e,t):
r}originOf(){let{origin:e}=this.options;return typeof e=="function"?e():e}async repeated(e,t,r){let s=this.runtime.lookup.
snapshot(e.index,e.generation),o=s.modelId??void 0;if(t)return this.answers.startedBefore(s);try{let a=await this.runtime.
waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY,r);return a.backgrounded?this.answers.started(e,o):this.answers.ended(
e,a,o)}catch(a){if(ne(a)&&a.code==="needs_input")return this.asks(e,o);if(!(ne(a)&&a.code==="aborted"))throw a;return this.
answers.goesOn(s)}}get answerers(){let{canAnswer:e}=this.options;return e===void 0?16:e?48:32}async asks(e,t){let{index:r,
generation:s}=e,{actor:o}=this,a=this.runtime.call(d=>d.questionText(r,s));return this.runtime.act(d=>d.moveToBackground(
b(),o.index,o.generation,o.run,r,s))?(this.letGoOfCall(e),this.answers.asked(e,a,t)):this.outcome(e,t)}movedOn(e,t){return this.
letGoOfCall(e),this.answers.started(e,t)}letGoOfCall(e){e.unfollow?.(),e.unfollow=void 0}hostLimit(){let{canSpawn:e,getConcurrencyInfo:t}=this.
runtime.functions;if(e!==void 0)try{let r=e();if(r===!0)return;if(r instanceof Promise)throw r.catch(()=>{}),lo("a promi\
se");if(r!==!1)throw lo(y(r));let s=t?.();return{why:`${Number.isFinite(s?.active)&&typeof s?.limit=="number"?`${s.active}\
 of ${s.limit} sub-agents are running`:"the limit of sub-agents is reached"}.${co("concurrency_limit")}`,full:{active:s?.
active,limit:s?.limit}}}catch(r){return this.runtime.report(r),{why:`the host could not say whether a sub-agent may star\
t: ${E(w(r),Xe)}.`}}}modelOf({index:e,generation:t}){return this.runtime.isClosed?void 0:this.runtime.call(r=>r.modelId(
e,t))}};function lo(n){return new m("invalid_argument",`\`canSpawn\` must return a boolean at once, it returned ${n}`,{argument:"\
canSpawn"})}i(lo,"noBoolean");function Ea(n){return n?.aborted===!0}i(Ea,"hasFired");function Ia(n){return/[.!?…]$/u.test(
n)?n:`${n}.`}i(Ia,"sentence");function co(n){return Xn[n]===void 0?"":` ${Xn[n]}`}i(co,"adviceOn");function fo(n,e){let t=Zs(e,n);if("mistakes"in t)return t;let{given:r,params:s,nulls:o}=t;return{params:o.length===0?r:Pa(
r,o),checked:s}}i(fo,"checkArguments");function Pa(n,e){let t=Object.getOwnPropertyDescriptors(n);for(let r of e)delete t[r];
return Object.create(Object.getPrototypeOf(n),t)}i(Pa,"without");function po(n,e){return _a(n,fe,{},e)}i(po,"makeTool");function _a(n,e,t,r,s=!1){let{names:o,descriptions:a}=n.agents,u=Na(
r.parameters,o),d=Xs(u),l=o.length===0?r.description:`${r.description}

What \`agent\` may name:
${a}`,c=i(f=>fo(f,d),"check");return Ca(new zt(n,e,t,{},s),{name:r.name,description:l,schema:u,check:c})}i(_a,"assemble");
function Na(n,e){if(e.length===0)return{...n};let t={type:"string",enum:e,description:"What kind of sub-agent. Leave it \
out for a general one."};return{...n,properties:{...n.properties,agent:t}}}i(Na,"withAgents");function Ca(n,e,t){let{name:r,
description:s,schema:o,check:a}=e;return no(n.runtime,{name:r,label:"Sub-agent",description:s,schema:o,check:i(u=>a(u),"\
check"),async call(u,d){let l=a(u);return t?.(l,d)??n.run(l,d)},detailsOf:i(({taskId:u,turn:d})=>({taskId:u,background:!1,
status:"running",durationMs:null,turns:d,cost:null}),"detailsOf")})}i(Ca,"spawnTool");var mo="the manager has been disposed",Qt=class{constructor(e,t,r){this.agents=new ue(void 0);this.profiles=new de(void 0);
this.journal=void 0;this.ahead=0;this.seeded=!1;this.idKey=void 0;this.reporting=i(e=>this.report(e),"reporting");this.runs=
new Jt(this);this.waits=new Vt(this);this.lookup=new Kt(this);this.refusals=new $t(this);this.sessionData=new Ht(this);this.
contexts=new gt;this.pins=new Gt(this);this.wakes=new qt(this);this.signals=new Ft;this.functions=t,this.runMaker=r,this.
door=new Nt(this),this.alarm=new ge(Ma(_e(this.door))),this.keepAlive=new Bt(this.alarm,this),this.host=Rs(this,this.door,
this.alarm),this.core=new e.SubAgentCore(this.host),e.onFailure=s=>this.poison(s),this.scratch=new Dt(this.core,e.memory),
this.hosts=new Wt(this,this.scratch,this.alarm),this.listeners=new Ct(this,this.scratch),this.gates=new Ee(this,{},{})}static{
i(this,"Runtime")}check(){if(this.closed!==void 0)throw this.isDisposed?new m("disposed",mo):this.closed}get isClosed(){
return this.closed!==void 0}get isDisposed(){return this.closed?.code==="disposed"}call(e){this.check();let t=G(this);try{
return e(this.core)}catch(r){throw this.poison(r)}finally{J(t)}}carryOut(){if(this.closed!==void 0)return;if(this.journal?.
isSync===!0){this.journal.carryOut();return}let e=G(this);try{this.core.carryOut()}catch(t){this.poison(t)}finally{J(e)}}act(e){
let t=this.call(e);return this.carryOut(),this.expectSound(),t}order(e){if(!this.call(e))throw this.refusal();this.carryOut(),
this.expectSound()}expectSound(){if(this.closed!==void 0&&!this.isDisposed)throw this.closed}unasked(e){if(this.closed!==
void 0)return;let t=G(this);try{return e(this.core)}catch(r){this.poison(r);return}finally{J(t)}}alone(e){e.catch(t=>{t!==
this.closed&&!(this.isDisposed&&ze(t,"disposed"))&&this.report(t)})}refusal(){let{code:e,message:t,told:r,details:s}=this.
call(o=>o.refusal());return this.carryOut(),Ze(new m(e,t,s),r)}ask(e){if(!this.call(e))throw this.refusal()}together(e){
if(this.journal?.isSync===!0)return this.journal.together(e);let t=this.call(r=>r.keepBack());try{return e()}finally{t&&
this.call(r=>r.goOn())}}answer(e){return this.journal===void 0?Promise.resolve(e):this.journal.answer(e)}onceKept(e){this.
journal?.isSync===!0?this.alone(this.journal.answer(void 0).then(e)):e()}write(e){try{return this.scratch.write(e)}catch(t){
throw this.poison(t)}}writeLeft(e){try{return this.scratch.writeLeft(e)}catch(t){throw this.poison(t)}}wakeAt(e){this.isClosed||
(this.alarm.set(e),this.hosts.keepAwake())}tick(){this.unasked(e=>e.tick(b())),this.carryOut(),this.wakes.review(),this.
hosts.keepAwake(),this.runs.batchOver()}makeRun(e){return this.runMaker(this,e)}consumerGate(e){return Vn(this,e)}makeTool(e){
return po(this,e)}startsStopped(){this.functions.onError!==void 0&&this.report(this.refusal())}report(e){Ce(e);let{onError:t}=this.
functions;t===void 0?Fn(e):Kn(t,Fn,e)}tell(e,t){Kn(e,this.reporting,t)}dispose(){this.end(new m("disposed",mo))}fail(e){
this.end(e),this.report(e)}end(e){if(this.closed===void 0){this.journal!==void 0&&this.unasked(t=>t.setAside()),this.close(
e),Wn(this);try{this.idKey=this.core.idKey(),this.core.dispose()}catch{}this.letGo()}}letGo(){if(js()){queueMicrotask(()=>this.
letGo());return}this.scratch.letGo(),this.core=void 0}poison(e){if(this.closed===void 0){let t=new m("internal",`the man\
ager's core failed: ${w(e)}${this.fullness()}`);this.close(t),Wn(this),this.core.__destroy_into_raw(),this.letGo()}return this.
closed}fullness(){let e=this.scratch.memoryBytes/1e9;return e<1?"":`; it has ${e.toFixed(1)} GB of memory, can have 4.3,\
 and may have found no more: acknowledge notices, lower \`maxResultBytes\` or \`retain\`, and read lists and leases in pages`}close(e){
this.closed=e,this.journal?.close(e),this.alarm.stop(),this.keepAlive.clear(),this.runs.close(e),this.gates.close(),this.
waits.rejectAll(e),this.listeners.clear(),this.refusals.clear(),this.sessionData.clear(),this.contexts.clear(),this.hosts.
elsewhere.clear(),this.wakes.clear(),this.signals.clear()}};function Ma(n){return()=>n.deref()?.runtime?.tick()}i(Ma,"ti\
ckThrough");var ho=["spawnSubAgent","spawnBackgroundSubAgent","checkConsumerSpawn","canSpawn","getConcurrencyInfo","getModelId","onE\
rror","countTokens","onWake"],er={agents:i(n=>({agents:new ue(n)}),"agents"),bus(n,{onWake:e}){if(e!==void 0)throw z("`b\
us` and `onWake`","bus");return{bus:Os(n)}},mainLimits:i(n=>({mainLimits:La("mainLimits",n)}),"mainLimits"),modelId(n,{getModelId:e},t){
let r=V("`modelId`",n);if(e!==void 0)throw z("`modelId` and `getModelId`","modelId");return t.getModelId=()=>r,{}},policies:i(
n=>({policies:Da(n)}),"policies"),preset:i(()=>({}),"preset"),profiles:i(n=>({profiles:new de(n)}),"profiles"),retry:i(n=>({
settings:{retry:yt("retry",n)}}),"retry"),tools:i(n=>({tools:Q("`tools`",n)}),"tools")};function go(n,e,t,r){let{functions:s,
bounds:o,settings:a,tools:u,agents:d,profiles:l,policies:c,mainLimits:f,bus:p}=O("the options of a manager",()=>$a(e)),h=new Qt(
n,s,t);h.agents=d,h.profiles=l,p!==void 0&&(h.functions.onWake=As(p,k=>{h.isClosed||h.report(k)},k=>h.onceKept(k)));try{
let k=i(R=>o.apply(h,a,R),"configure");r===void 0?k():r.begin(h,k),h.gates=new Ee(h,c,f),h.contexts.matter&&h.call(R=>R.
tellForgotten());let{blockedTools:x}=h.gates.sub;x.length>0&&h.order(R=>R.blockTools(b(),[...x])),u!==void 0&&h.order(R=>R.
setTools(b(),R.defaultSession(),u))}catch(k){throw h.dispose(),k}return h}i(go,"open");function $a(n){let e=v("the optio\
ns of a manager",n),t={functions:{},bounds:new Rt,settings:{},tools:void 0,agents:new ue(void 0),profiles:new de(void 0),
policies:{},mainLimits:{},bus:void 0};for(let[r,s]of Object.entries(e))if(s!==void 0){if(ho.includes(r)){if(typeof s!="f\
unction")throw g(`\`${r}\``,"a function",s);t.functions[r]=r==="onWake"?Te(s):s}else if(Object.hasOwn(er,r))Object.assign(
t,er[r]?.(s,e,t.functions));else if(!t.bounds.take(r,s)){if(ds.includes(r)){let o=`\`${r}\` is an option of a manager wit\
h a store, which \`await SubAgentManager.open({ store, … })\` makes`;throw new m("invalid_argument",o,{argument:r})}throw se(
"a manager",r,[...ho,...us,...Object.keys(er)])}}return t.agents.checkProfiles(t.profiles),t}i($a,"read");function Da(n){
if(Array.isArray(n))throw g("`policies`","an object with subAgents or main",n);let{subAgents:e,main:t,...r}=v("`policies\
`",n);return U("policies",r,["subAgents","main"]),{...e!==void 0&&{subAgents:e},...t!==void 0&&{main:t}}}i(Da,"policySet\
s");function La(n,e){let{maxTurns:t,maxContextTokens:r,timeoutMs:s,...o}=v(`\`${n}\``,e);U(n,o,["maxTurns","maxContextTo\
kens","timeoutMs"]);let a={},u=M(`\`${n}.maxTurns\``,t),d=M(`\`${n}.maxContextTokens\``,r),l=it(`\`${n}.timeoutMs\``,s);
return u!==void 0&&(a.maxTurns=u),d!==void 0&&(a.maxContextTokens=d),l!==void 0&&(a.timeoutMs=l),a}i(La,"mainLimitsOf");function ub(n,e){return go(n,e,(t,r)=>new ht(t,r))}i(ub,"open");export{Nt as Door,Bc as abortRun,ef as allTold,Qc as askDone,Rs as attach,nf as consumerGate,G as enter,tf as facts,js as isInside,
J as leave,rf as makeTool,ub as open,qc as policiesDue,Wn as release,Zc as runEnded,Wc as runRetried,Uc as startRun,Yc as startsStopped,
Hc as taskClosed,Jc as taskForgotten,Gc as turnReady,Xc as waitDone,zc as wakeAt,Vc as wakeSession};
