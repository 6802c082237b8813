var So=Object.defineProperty;var i=(t,e)=>So(t,"name",{value:e,configurable:!0});var At;function b(){return At??=Date.now()-performance.now(),At+performance.now()}i(b,"now");var xt=2147483647;function vt(t,e){
return new Promise(n=>{let r=e<=xt?setTimeout(n,e):void 0,o=i(()=>{clearTimeout(r),n()},"over");t.then(o,o)})}i(vt,"with\
in");var re=class{static{i(this,"Alarm")}timer;at=0;held=!1;keeps;ring;constructor(e){this.ring=()=>{this.timer=void 0,b()<
this.at?this.arm():e()}}set(e){this.at=e,this.timer!==void 0&&clearTimeout(this.timer),this.arm()}hold(e){if(this.held===
e)return;this.held=e;let n=this.timer;e?n?.ref?.():n?.unref?.()}stop(){this.timer!==void 0&&clearTimeout(this.timer),this.
timer=void 0}arm(){this.timer=setTimeout(this.ring,Math.min(Math.max(Math.ceil(this.at-b()),1),xt)),this.held||this.timer.
unref?.()}};var Ot=[[0,32],[127,160],[5760,5760],[8192,8202],[8232,8233],[8239,8239],[8287,8287],[12288,12288]],En=[[173,173],[847,847],
[1564,1564],[4447,4448],[6068,6069],[6155,6159],[8203,8203],[8206,8207],[8234,8238],[8288,8303],[12644,12644],[65024,65037],
[65279,65279],[65440,65440],[65520,65531],[65534,65535],[113824,113827],[119155,119162],[917504,921599]],In=[["'","’"],
['"',"’"],["`","’"],["“","‘"],["”","’"],["[","("],["]",")"],["<","‹"],[">","›"],["＇","’"],["＂","’"],
["｀","’"],["［","("],["］",")"],["＜","‹"],["＞","›"]],Q=80,Ke=500,Be=300,Tt=80;function _n(t,e){return t.some(([n,r])=>n<=e&&e<=r)}i(_n,"isIn");var Rt;function Ao(){let t=In.map(([r])=>r),n=`[${Array.
from({length:94},(r,o)=>String.fromCharCode(33+o)).filter(r=>!t.includes(r)).map(r=>`\\x${r.charCodeAt(0).toString(16)}`).
join("")}]+`;return new RegExp(`^${n}(?: ${n})*$`)}i(Ao,"plainWords");function _(t,e=Tt){if(Rt??=Ao(),t.length<=e&&Rt.test(
t))return t;let n="",r=0,o=!1;for(let s of t){let a=s.codePointAt(0);if(_n(En,a))continue;if(_n(Ot,a)){o=r>0;continue}let u=r+
(o?2:1);if(u>e)return`${n}…`;let d=a>=55296&&a<=57343?"�":In.find(([c])=>c===s)?.[1]??s;n+=o?` ${d}`:d,o=!1,r=u}return n}
i(_,"quoted");function Ue(t){let e="";for(let n of JSON.stringify(t)){let r=n.codePointAt(0),o=r<127||r>160&&r!==8232&&r!==8233&&!_n(En,
r);e+=o?n:xo(n)}return e}i(Ue,"jsonForModel");function xo(t){return Array.from({length:t.length},(e,n)=>`\\u${t.charCodeAt(
n).toString(16).padStart(4,"0")}`).join("")}i(xo,"escaped");var jt=!1;function Cn(t){jt=t}i(Cn,"withinCore");function xe(t){try{for(let e=t,n=0;e instanceof Error&&n<8;e=e.cause,n+=
1)e.stack}catch{}}i(xe,"letStackGo");var y=class extends Error{static{i(this,"SubAgentError")}name="SubAgentError";code;details;constructor(e,n,r={},o){
super(n,o),this.code=e,this.details=r,jt&&xe(this)}};var Pt=new WeakMap;function We(t,e){return e!==t.message&&Pt.set(t,e),t}i(We,"tellingModels");function Ge(t){return Pt.get(
t)??x(t)}i(Ge,"toldOf");function h(t,e,n){let r=`${t} must be ${e}, got ${w(n)}`;return new y("invalid_argument",r,{argument:t.
replaceAll("`",""),expected:e})}i(h,"invalid");function w(t){return typeof t=="string"?t.length>40?`a string of ${t.length}\
 characters`:Ue(t):t==null||typeof t=="number"||typeof t=="boolean"?String(t):typeof t=="object"?vo(t):`a ${typeof t}`}i(
w,"describe");function vo(t){try{return Array.isArray(t)?t.length===0?"an empty list":"a list":"an object"}catch{return"\
an object"}}i(vo,"listOrObject");function x(t){try{if(typeof t=="string")return t;if(t instanceof Error)return String(t.
message)||String(t.name)||"an error without a message";if(typeof t=="object"&&t!==null&&typeof t.message=="string")return t.
message}catch{}return`threw ${w(t)}`}i(x,"messageOf");var Je=class{static{i(this,"Scratch")}view=new Uint8Array(0);whole=new Uint8Array(0);encoder=new TextEncoder;decoder=new TextDecoder;core;memory;constructor(e,n){
this.core=e,this.memory=n}write(e,n=0){let r=n+e.length*3;return(this.view.length<r||this.view.length===0)&&this.grow(r),
this.encoder.encodeInto(e,n===0?this.view:this.view.subarray(n)).written}writeAll(e){let n=3*e.reduce((o,s)=>o+oe(s),0);
(this.view.length<n||this.view.length===0)&&this.grow(n);let r=0;return e.map(o=>{if(o===void 0)return 4294967295;let s=this.
write(o,r);return r+=s,s})}writeEnd(e){let{output:n,error:r,hostStatus:o,hostTaskId:s,artifactsJson:a,valueJson:u}=e,d=n.
length+oe(r)+oe(o)+oe(s)+oe(a)+oe(u);(this.view.length<d*3||this.view.length===0)&&this.grow(d*3);let c={output:this.write(
n),error:4294967295,status:4294967295,id:4294967295,artifacts:4294967295,value:4294967295},f=c.output;return r!==void 0&&
(f+=c.error=this.write(r,f)),o!==void 0&&(f+=c.status=this.write(o,f)),s!==void 0&&(f+=c.id=this.write(s,f)),a!==void 0&&
(f+=c.artifacts=this.write(a,f)),u!==void 0&&(c.value=this.write(u,f)),c}writeBytes(e){return(this.view.length<e.length||
this.view.length===0)&&this.grow(e.length),this.view.set(e),e.length}read(e,n){return n===0?"":this.decoder.decode(new Uint8Array(
this.memory.buffer,e,n))}memoryView(){return this.whole.length===0&&(this.whole=new Uint8Array(this.memory.buffer)),this.
whole}copy(e,n){return new Uint8Array(this.memory.buffer,e,n).slice()}get memoryBytes(){return this.memory.buffer.byteLength}letGo(){
this.view=new Uint8Array(0),this.whole=new Uint8Array(0),this.core=void 0,this.memory={buffer:new ArrayBuffer(0)}}grow(e){
let n=Math.max(e,4096),r=this.core.scratch(n);this.view=new Uint8Array(this.memory.buffer,r,n)}};function oe(t){return t===
void 0?0:t.length}i(oe,"lengthOf");var Et=new WeakMap;function _t(t){if(To(t))return t;let e=Et.get(t);if(e===void 0){let n=new AbortController;t.addEventListener(
"abort",()=>It(n,t),{once:!0}),Et.set(t,n),e=n}return t.aborted===!0&&It(e,t),e.signal}i(_t,"tamed");function It(t,e){let n;
try{({reason:n}=e)}catch(r){n=r}t.abort(n)}i(It,"fire");var Oo=["aborted","reason","addEventListener","removeEventListen\
er"];function To(t){return Object.getPrototypeOf(t)===AbortSignal.prototype&&!Oo.some(e=>Object.hasOwn(t,e))}i(To,"isPla\
tforms");var Ct={prompt:"instructions",input:"instructions",concurrency:"maxConcurrent",maxsteps:"maxTurns",maxretries:"retry",abortsignal:"\
signal",name:"nickname"};function Mt(t,e){let n=$t(t);if(n.length>40)return;let r,o=Number.POSITIVE_INFINITY,s=Object.hasOwn(
Ct,n)?Ct[n]:void 0;for(let a of e){if(a===s)return a;let u=Ro(n,$t(a));u>=o||(o=u,r=a)}return r}i(Mt,"nearestOf");function $t(t){
return t.toLowerCase().replaceAll(/[_-]/g,"")}i($t,"plain");function Ro(t,e){let[n,r]=t.length<e.length?[t,e]:[e,t],o=jo(
t,e);return o<=Math.min(3,Math.floor(r.length/3))?o:n.length>=3&&r.startsWith(n)?40+o:Number.POSITIVE_INFINITY}i(Ro,"dis\
tanceOf");function jo(t,e){let n=[],r=Array.from({length:e.length+1},(o,s)=>s);for(let o=1;o<=t.length;o+=1){let s=[o];for(let a=1;a<=
e.length;a+=1){let u=t[o-1]===e[a-1],d=Math.min((r[a]??0)+1,(s[a-1]??0)+1,(r[a-1]??0)+(u?0:1));o>1&&t[o-1]===e[a-2]&&t[o-
2]===e[a-1]&&(d=Math.min(d,(n[a-2]??0)+1)),s.push(d)}[n,r]=[r,s]}return r[e.length]??0}i(jo,"editsOf");var Nt=100,Ft=1048576,C=16777216;function R(t,e,n="an object"){return O(t,()=>{if(se(t,e,n),Array.isArray(e))throw h(t,n,
e);let r=Object.create(null);for(let o of Lt(e))for(let s of Object.getOwnPropertyNames(o))!(s in r)&&Eo(o,s)&&Po(r,s,e[s]);
return r})}i(R,"optionsOf");function Po(t,e,n){Object.defineProperty(t,e,{value:n,enumerable:!0,configurable:!0,writable:!0})}
i(Po,"define");function Eo(t,e){let{enumerable:n,get:r}=Object.getOwnPropertyDescriptor(t,e)??{};return n===!0||r!==void 0}
i(Eo,"isGiven");function Lt(t){let e=[t],n=Object.getPrototypeOf(t);for(;n!==null&&!Io(n);){if(e.push(n)>Nt)throw new Error(
`it inherits from more than ${Nt} objects`);n=Object.getPrototypeOf(n)}return e}i(Lt,"levelsOf");function Io(t){return t===
Object.prototype||Object.getPrototypeOf(t)===null&&Object.hasOwn(t,"hasOwnProperty")}i(Io,"isRoot");function $(t,e){return Object.
hasOwn(t,e)||Object.getPrototypeOf(t)!==Object.prototype&&Lt(t).some(r=>Object.hasOwn(r,e))?t[e]:void 0}i($,"propertyOf");
function se(t,e,n="an object"){if(typeof e=="object"&&e!==null)return e;throw h(t,n,e)}i(se,"objectOf");function L(t,e,n,r){
return O(t,()=>{if(!Array.isArray(n))throw h(t,e,n);let{length:o}=n;if(!(o<=Ft))throw h(t,`a list of at most ${Ft} entri\
es`,o);let s=[];for(let a=0;a<o;a+=1){let u=t.endsWith("`")?`${t.slice(0,-1)}[${a}]\``:`${t}[${a}]`;s.push(r(Object.hasOwn(
n,a)?O(u,()=>n[a]):void 0,u))}return s})}i(L,"listOf");function Dt(t,e){return L(t,"a list",e,n=>n)}i(Dt,"entriesOf");function I(t,e){
if(typeof e!="string")throw h(t,"a string",e);if(e.length>C)throw h(t,`a text of at most ${C} characters`,e);return e}i(
I,"textOf");function ie(t,e){let n=I(t,e);if($n(n))return n;throw h(t,"well-formed text, as `toWellFormed()` makes it",e)}
i(ie,"nameOf");function $n(t){return t.isWellFormed?.()??!_o.test(t)}i($n,"isWellFormed");var _o=/\p{Surrogate}/u;function Kt(t,e,n,r=`\
the options of ${t}`){return O(r,()=>{let o=R(r,e),s=Object.keys(o).find(a=>!n.includes(a));if(s!==void 0)throw ve(t,s,n);
return o})}i(Kt,"knownOptions");function J(t,e){return new y("invalid_argument",`${t} say the same: give one`,{argument:e})}i(J,"saidTwice");function ve(t,e,n){
return Oe(`${t} has no option \`${e}\``,e,n,{argument:e})}i(ve,"unknownOption");function H(t,e,n){let[r]=Object.keys(e);
if(r===void 0)return;let o=`${t}.${r}`;throw Oe(`\`${t}\` has no \`${r}\``,r,n,{argument:o},`; it has ${n.join(", ")}`)}
i(H,"noOtherFields");function He(t,e,n){return Oe(`${t} has no \`${e}\``,e,n,{argument:e},`; it has ${n.join(", ")}`)}i(
He,"unknownField");function Oe(t,e,n,r,o=""){let s=Mt(e,n);return s===void 0?new y("invalid_argument",t+o,r):new y("inva\
lid_argument",`${t}; did you mean \`${s}\`?`,{...r,suggestion:s})}i(Oe,"unknownPart");function O(t,e){try{return e()}catch(n){
throw Mn(t,n)}}i(O,"readArgument");function Mn(t,e){return Nn(e)?e:new y("invalid_argument",`${t} can't be read: ${x(e)}`,
{argument:t.replaceAll("`","")},{cause:e})}i(Mn,"unreadable");function Nn(t){try{return t instanceof y}catch{return!1}}i(
Nn,"isOurs");function Ve(t,e){if(e!==void 0)return O(t,()=>{let{aborted:n,addEventListener:r,removeEventListener:o}=Object(
e);if(typeof n=="boolean"&&typeof r=="function"&&typeof o=="function")return _t(e);throw h(t,"an AbortSignal",e)})}i(Ve,
"signalOf");var Co=100,$o=500,Mo=["completed","cancelled","blocked_on_user"];function No({status:t="pending"}){return!Mo.includes(t)}
i(No,"isOpenTodo");function Bt(t){let e=0,n=[],r=L("`todos`","a list of { content, status }",t,(o,s)=>{let{content:a,description:u,
status:d="pending"}=Object(o),c=a??u;if(typeof c!="string")throw h(`the \`content\` or \`description\` of ${s}`,"a strin\
g",c);if(typeof d!="string")throw h(`the \`status\` of ${s}`,"a string",d);return{content:c,status:d}});for(let{content:o,
status:s}of r){let a={content:qe(o,$o),status:qe(s,40)};No(a)&&(e+=1),n.length<Co&&n.push(a)}return{open:e,json:JSON.stringify(
n)}}i(Bt,"readTodos");function Ut(t,{slot:e,generation:n,run:r},{open:o,json:s}){let a=t.write(s);t.act(u=>u.todos(b(),e,
n,r,o,a))}i(Ut,"reportTodos");function Te(t){return t===""?[]:JSON.parse(t)}i(Te,"parseTodos");function qe(t,e){return t.
length<=e?t:Array.from(t.slice(0,e*2)).slice(0,e).join("")}i(qe,"firstChars");function D(t,e){return e===void 0?void 0:I(t,e)}i(D,"string");function Y(t,e){return e===void 0?void 0:L(t,"a list of st\
rings",e,(n,r)=>I(r,n))}i(Y,"strings");function ae(t,e){return e===void 0?void 0:ie(t,e)}i(ae,"name");function P(t,e){if(e!==
void 0){if(typeof e=="number"&&e>=1&&(Number.isInteger(e)||e===Number.POSITIVE_INFINITY))return e;throw h(t,"a whole num\
ber of at least 1, or Infinity",e)}}i(P,"count");function Fn(t,e){if(e!==void 0){if(typeof e=="number"&&e>0)return e;throw h(
t,"a number above 0, or Infinity",e)}}i(Fn,"amount");function ue(t,e,n=!1){if(e!==void 0){if(n&&e===0)return 0;if(typeof e==
"number"&&e>0)return Math.max(1,Math.round(e));throw h(t,`milliseconds ${n?"of at least":"above"} 0, or Infinity`,e)}}i(
ue,"duration");function Wt(t,e){if(e!==void 0){if(typeof e=="number"&&Number.isSafeInteger(e))return e;throw h(t,"a whol\
e number",e)}}i(Wt,"integer");function Re(t,e){if(e===void 0)return{};let n=R(`\`${t}\``,e,"an object with tokens, costU\
sd or turns"),{tokens:r,costUsd:o,turns:s,...a}=n;H(t,a,["tokens","costUsd","turns"]);let u={},[d,c,f]=[P(`\`${t}.tokens\
\``,r),Fn(`\`${t}.costUsd\``,o),P(`\`${t}.turns\``,s)];return d!==void 0&&(u.tokens=d),c!==void 0&&(u.costUsd=c),f!==void 0&&
(u.turns=f),u}i(Re,"readBudget");function z(t){let e=t;return e.isWellFormed?.()===!1?e.toWellFormed?.()??t:t}i(z,"wellFormed");function Gt(t,e){let n=0;
for(let r=0;r<t.length;){let o=t.codePointAt(r);if(n+=o<128?1:o<2048?2:o<65536?3:4,n>e)return t.slice(0,r);r+=o>65535?2:
1}return t}i(Gt,"headOf");function Ye(t,e,n,r={left:e}){let o=Math.max(0,r.left-e),s=JSON.stringify(t,(a,u)=>{if(r.left-=typeof u=="string"?u.length:
1,r.left<o)throw new Error(n);return u});if(s!==void 0&&s.length>e)throw new Error(n);return s}i(Ye,"jsonWithin");var ze=20,Fo=1e3;function Jt(t,e,n){let r=[],o=[],s=C,a={left:2*C},u=0;return L(t,"a list",e,(d,c)=>{if(u>=ze&&a.left===
0){u+=1;return}try{let f=Ye(d,s,`the artifacts have more than ${C} characters`,a);if(f===void 0)throw new Error(`JSON ha\
s no ${w(d)}`);s=Math.max(0,s-f.length-1),o.push(f),r.push(d)}catch(f){u+=1,a.left=Math.max(0,a.left-Fo),u<=ze&&n(`${c} \
was not kept: ${x(f)}`,c)}}),u>ze&&n(`${u-ze} more artifacts were not kept`,t),o.length===0?{artifacts:void 0,artifactsJson:void 0}:
{artifacts:r,artifactsJson:`[${o.join(",")}]`}}i(Jt,"readArtifacts");var de=0,Lo=1,Do=2,Ko=3,Bo=4,Xe=5,j=-1;function fe(t){if(typeof t!="object"||t===null)return je(`spawnSubAgent must reso\
lve to { output, status, usage }, it resolved to ${w(t)}`);let e=new Ln(t),{tokens:n,cost:r,turns:o,durationMs:s}=Go(e),
a=e.read("status"),u=e.read("output"),d=Yo(a,e),c=typeof u=="string"?z(u):void 0,f=Uo(e),l=c===void 0&&(le(u)?d===de&&f===
void 0:!0);l&&e.wrong("output","a string",u);let{artifacts:m,artifactsJson:p}=qo(e),k=Wo(e),g=Vo(e);return{how:l&&d===de?
Xe:d,output:c??"",error:e.told(g),cause:e.cause,hostStatus:typeof a=="string"&&a!=="completed"?Dn(a):void 0,hostTaskId:k,
artifacts:m,artifactsJson:p,value:f,valueJson:void 0,tokens:n,cost:r,turns:o,durationMs:s}}i(fe,"readResult");var ce=Symbol(
"unreadable"),Ln=class{static{i(this,"Fields")}cause=void 0;#e;#n;constructor(e){this.#e=e}read(e){try{return $(this.#e,
e)}catch(n){return this.#n===void 0&&(this.cause=n),this.drop(`the result's ${e} can't be read: ${x(n)}`),ce}}wrong(e,n,r){
r!==ce&&this.drop(`the result's ${e} must be ${n}, got ${w(r)}`)}drop(e){this.#n??=[],this.#n.push(e)}told(e){return this.#n===
void 0?e:[...e===void 0?[]:[e],...this.#n].join("; ")}};function le(t){return t==null}i(le,"isAbsent");function Uo(t){let e=t.
read("value");return e===ce?void 0:e}i(Uo,"madeOf");function Wo(t){let e=t.read("taskId");if(!(le(e)||e==="")){if(typeof e==
"string")return Dn(e);t.wrong("taskId","a string",e)}}i(Wo,"hostIdOf");function Go(t){let e=t.read("usage");if(le(e))return{
tokens:j,cost:j,turns:j,durationMs:j};let n=Number.NaN;if(typeof e!="object"||e===null||!Ho(e))return t.wrong("usage","{\
 tokens, costUsd, turns }",e),{tokens:n,cost:n,turns:n,durationMs:j};let r=i(u=>{try{return $(e,u)}catch{return n}},"rea\
d"),o=B(r("costUsd")),s={tokens:Kn(r("tokens"),r("inputTokens"),r("outputTokens")),cost:o===j?B(r("cost")):o,turns:B(r("\
turns")),durationMs:B(r("durationMs"))};if(Object.values(s).some(u=>u!==j))return s;let a=Jo(e);return a.length===0?s:(t.
drop(`the result's usage has none of tokens, costUsd, turns; it has ${a.map(w).join(", ")}`),{tokens:n,cost:n,turns:n,durationMs:j})}
i(Go,"readUsage");function Jo(t){try{return Object.entries(t).filter(([,n])=>!le(n)).slice(0,5).map(([n])=>n)}catch{return[]}}
i(Jo,"namesIn");function Ho(t){try{return!Array.isArray(t)&&typeof $(t,"then")!="function"}catch{return!1}}i(Ho,"isUsage");
function Vo(t){let e=t.read("error");if(!(le(e)||e===""||e===ce))return typeof e=="object"&&(t.cause??=e),z(Dn(x(e)))}i(
Vo,"errorOf");function qo(t){let e=t.read("artifacts");if(le(e)||e===ce)return{};try{return Jt("artifacts",e,n=>t.drop(n))}catch(n){
return t.drop(x(n)),{}}}i(qo,"artifactsOf");function Dn(t){return t.length>C?t.slice(0,C):t}i(Dn,"cut");function Vt(t,e,n){
if(t.how!==de)return t;let r=e.check(t.value,n);return r instanceof Promise?r.then(o=>Ht(t,o)):Ht(t,r)}i(Vt,"checkValue");
function Ht(t,e){if("wrong"in e){let o=[e.wrong,...t.error===void 0?[]:[t.error]].join("; ");return{...t,how:Xe,error:o,
value:void 0}}let{value:n,json:r}=e;return{...t,value:n,valueJson:r,output:t.output||r}}i(Ht,"judged");function B(t){return t==
null?j:typeof t=="number"&&t>=0?t:Number.NaN}i(B,"reading");function Kn(t,e,n){let r=B(t),[o,s]=[B(e),B(n)];return r!==j||
o===j&&s===j?r:(o===j?0:o)+(s===j?0:s)}i(Kn,"totalTokens");function Yo(t,e){switch(t){case void 0:case null:case"complet\
ed":return de;case"failed":case"error":return Lo;case"cancelled":case"aborted":return Do;case"timed_out":case"timeout":return Ko;default:
return typeof t!="string"&&e.wrong("status","a string",t),t===ce?Xe:de}}i(Yo,"statusOf");function je(t,e){return{how:Xe,
output:"",error:t,cause:e,hostStatus:void 0,hostTaskId:void 0,artifacts:void 0,artifactsJson:void 0,value:void 0,valueJson:void 0,
tokens:j,cost:j,turns:j,durationMs:j}}i(je,"invalidResult");function me(){return{...je(""),how:de,error:void 0,tokens:0,
cost:0,turns:0}}i(me,"nothing");function Qe(t,e){return{...je(t,e),how:Bo}}i(Qe,"threw");var zo=["tokens","inputTokens","outputTokens","costUsd","contextTokens","message","todos"];function Yt(t,e,n){let r,o=Number.
NaN;try{n!==void 0&&(o=Xo(n));let s=e.agent;if(e.turn!==void 0||s?.asksForTurn===!0)throw new y("invalid_argument","the \
last beforeTurn has not answered yet");let{gates:a,runs:u}=t;if(a.sub.has("before_turn")||s?.hasInjected===!0)return qt(
e,a.beforeTurn(a.agentOf(e),()=>u.takeTurn(e,o)));r=u.takeTurn(e,o)}catch(s){return Promise.reject(s)}return e.watch===void 0?
r:qt(e,r)}i(Yt,"beforeTurn");async function qt(t,e){let n=await e;return n.go&&t.watch?.(t,{turn:n.turn}),n}i(qt,"watche\
d");function Xo(t){return O("the options of beforeTurn",()=>{let{tokens:e}=Kt("beforeTurn",t,["tokens"]);return P("`toke\
ns`",e)??Number.NaN})}i(Xo,"estimateOf");function zt(t,e,n){let{tokens:r,costUsd:o,contextTokens:s,message:a,list:u}=O("\
a report",()=>{let{tokens:m,inputTokens:p,outputTokens:k,costUsd:g,contextTokens:S,message:v,todos:A,...q}=R("a report",
n),Pn=Kn(m,p,k);for(let Le of Object.keys(q))throw He("a report",Le,zo);return v!==void 0&&I("`message`",v),{tokens:Pn,costUsd:g,
contextTokens:S,message:v,list:A===void 0?void 0:Bt(A)}});if(t.isClosed)return;a!==void 0&&t.gates.agentOf(e).say(a);let d=a===
void 0?4294967295:t.write(a),{slot:c,generation:f,run:l}=e;t.act(m=>m.report(b(),c,f,l,r,B(o),B(s),d)),u!==void 0&&Ut(t,
e,u),a!==void 0&&e.watch?.(e,{message:a})}i(zt,"reportOn");var Ze=class{static{i(this,"BareRun")}#e;#n;constructor(e,n){this.#e=e,this.#n=n}get taskId(){return this.#n.taskId}get run(){
return this.#n.run}get prompt(){return this.#n.prompt()}get signal(){return this.#n.signal}beforeTurn(e){return Yt(this.#e,
this.#n,e)}report(e){zt(this.#e,this.#n,e)}};var Xt;function Zt(){return Xt??={capture:Qo(globalThis)},Xt.capture}i(Zt,"capture");function Qo({process:t,AsyncLocalStorage:e,AsyncContext:n}){let r=Qt(Zo(t))??Qt(e&&{AsyncLocalStorage:e});if(r!==void 0)
return r;let o=n?.Snapshot;if(typeof o=="function")return Un(()=>{let s=new o;return{runInAsyncScope:i((a,u,...d)=>s.run(
()=>a.apply(u,d)),"runInAsyncScope")}})}i(Qo,"find");function Zo(t){try{return t?.getBuiltinModule?.("async_hooks")}catch{
return}}i(Zo,"builtIn");function Qt(t){let{AsyncResource:e,AsyncLocalStorage:n}=t??{};if(typeof e=="function")return Un(
()=>new e("SubAgent"));if(typeof n?.snapshot=="function")return Un(()=>{let r=n.snapshot();return{runInAsyncScope:i((o,s,...a)=>r(
()=>o.apply(s,a)),"runInAsyncScope")}})}i(Qt,"captureOf");function Un(t){try{return t().runInAsyncScope(()=>!0)?t:void 0}catch{
return}}i(Un,"tried");function pe(t){let e=Zt()?.();return e===void 0?t:((...n)=>e.runInAsyncScope(t,void 0,...n))}i(pe,
"bound");var en=class{static{i(this,"Contexts")}kept=[];generations=[];capture=Zt();opening=this.capture?.();entered=void 0;get matter(){
return this.capture!==void 0}keep(e,n){this.capture!==void 0&&(this.kept[e]=this.capture(),this.generations[e]=n)}enter(e){
let n=this.entered;return this.entered=this.kept[e],n}leave(e){this.entered=e}run(e,n,r){let o=this.generations[e]===n?this.
kept[e]:this.opening;return o===void 0||o===this.entered?r():o.runInAsyncScope(r)}taskForgotten(e,n){this.generations[e]===
n&&(this.kept[e]=void 0)}clear(){this.kept.length=0,this.generations.length=0}};var Gn=16384,er=32;function nr(t,e){if(e===void 0)return;if(typeof e!="object"||e===null||Array.isArray(e))throw nn(t,"a\
 plain object of JSON values",e);return Jn(e,t,0,{left:Gn})}i(nr,"readMetadata");function tr(t){return t===null?null:JSON.
parse(t)}i(tr,"metadataOf");function nn(t,e,n){return h(`\`${t}\``,e,n)}i(nn,"wrong");function Jn(t,e,n,r){if(typeof t==
"string"||typeof t=="boolean"||t===null)return Wn(JSON.stringify(t),r);if(typeof t=="number"){if(!Number.isFinite(t))throw nn(
e,"a number that JSON has",t);return Wn(JSON.stringify(t),r)}if(typeof t!="object")throw nn(e,"a value that JSON has",t);
if(n>=er)throw new y("invalid_argument",`\`${e}\` nests deeper than ${er} levels`,{argument:e});if(r.left-=2,Array.isArray(
t)){let a=[];for(let u=0;u<t.length;u+=1){if(!Object.hasOwn(t,u))throw nn(`${e}[${u}]`,"a value that JSON has",void 0);a.
push(Jn(t[u],`${e}[${u}]`,n+1,r))}return`[${a.join(",")}]`}let o=Object.getPrototypeOf(t);if(o!==null&&Object.getPrototypeOf(
o)!==null)throw new y("invalid_argument",`\`${e}\` must be a plain object of JSON values, got ${w(t)} of a class`,{argument:e});
let s=[];for(let a of Object.keys(t)){let u=t[a];if(u===void 0)continue;let d=Wn(JSON.stringify(a),r);s.push(`${d}:${Jn(
u,/^[\w$]{1,40}$/.test(a)?`${e}.${a}`:`${e}[…]`,n+1,r)}`)}return`{${s.join(",")}}`}i(Jn,"jsonOf");function Wn(t,e){if(e.
left-=t.length+1,e.left>=0)return t;let n=`\`metadata\` must have at most ${Gn} characters of JSON: keep what is larger \
yourself, under the sub-agent's id`;throw new y("invalid_argument",n,{argument:"metadata",limit:Gn})}i(Wn,"spent");var X=["pending","running","idle","completed","failed","timed_out","cancelled","interrupted","closed"],T=["finished","ho\
st_failed","host_threw","invalid_result","host_cancelled","host_timed_out","timeout","idle_timeout","max_turns","budget_\
exhausted","cancelled","ancestor_cancelled","parent_ended","interrupted","closed","signal_aborted","drained","policy","m\
arked_failed","host_lost","never_reported"],tn=["host_threw","host_failed","host_lost","invalid_result","host_timed_out",
"host_cancelled"];var rr=["before_spawn","before_start","before_turn","before_tool","after_tool","before_end","on_timeout"],or=["inject","\
force_turn","block","finish"],Hn=["adopt","wait","cancel"];function rn(t,e){if(e===void 0)return;if(e===!1)return{max:0};let{max:n,backoffMs:r,on:o,...s}=R(`\`${t}\``,e);H(t,s,["m\
ax","backoffMs","on"]);let a=P(`\`${t}.max\``,n);if(a===void 0)throw h(`\`${t}.max\``,"a whole number of at least 1, or \
Infinity",n);let u={max:a};if(r!==void 0){if(typeof r!="number"||!(r>0)||!Number.isFinite(r))throw h(`\`${t}.backoffMs\``,
"milliseconds above 0",r);u.backoffMs=Math.max(1,Math.round(r))}if(o!==void 0){let d=`a list of ${tn.join(", ")}`;if(u.on=
L(`\`${t}.on\``,d,o,(c,f)=>{if(!tn.includes(c))throw h(f,`one of ${tn.join(", ")}`,c);return c}),u.on.length===0)throw h(
`\`${t}.on\``,d,o)}return u}i(rn,"readRetry");var es=new Set(["$schema","$id","$comment","$defs","definitions","title","description","default","examples","deprecated",
"readOnly","writeOnly","format"]),Vn={string:i(t=>typeof t=="string","string"),number:i(t=>typeof t=="number","number"),
integer:i(t=>Number.isInteger(t),"integer"),boolean:i(t=>typeof t=="boolean","boolean"),null:i(t=>t===null,"null"),array:i(
t=>Array.isArray(t),"array"),object:M};function ir(t){return new Xn(t).read(t,"")}i(ir,"readJsonSchema");var Xn=class{static{
i(this,"Reader")}#e;#n=new Map;constructor(e){this.#e=e}read(e,n){if(e===!0)return()=>{};if(e===!1)return(a,u)=>`${u} mu\
st not be there`;if(!M(e))throw N(n,`must be an object or a boolean, got ${w(e)}`);let r=this.#n.get(e);if(r!==void 0)return r;
let o=[],s=i((a,u)=>{for(let d of o){let c=d(a,u);if(c!==void 0)return c}},"check");this.#n.set(e,s);for(let a of Object.
keys(e)){if(es.has(a))continue;let u=Object.hasOwn(Qn,a)?Qn[a]:void 0;if(u===void 0)throw N(n,`has \`${a}\`, which is not\
 checked here; it may have ${os}`);o.push(u({reader:this,schema:e,place:`${n}/${a}`,given:e[a]}))}return s}find(e,n){if(e===
"#")return this.#e;if(!e.startsWith("#/"))throw N(n,`refers to ${w(e)}; only references within the schema are read`);let r=this.#e;
for(let o of e.slice(2).split("/")){let s=o.replaceAll("~1","/").replaceAll("~0","~");r=M(r)&&Object.hasOwn(r,s)?r[s]:void 0}
if(r===void 0)throw N(n,`refers to ${w(e)}, which is not there`);return r}};function N(t,e){let n=t===""?"`schema`":`\`sc\
hema\` at ${t}`;return new y("invalid_argument",`${n} ${e}`,{argument:"schema"})}i(N,"refused");function M(t){return typeof t==
"object"&&t!==null&&!Array.isArray(t)}i(M,"isObject");function K({given:t,place:e},n=Number.NEGATIVE_INFINITY){if(typeof t==
"number"&&t>=n)return t;throw N(e,`must be a number${n===0?" of at least 0":""}, got ${w(t)}`)}i(K,"number");function Pe({
given:t,place:e}){if(Array.isArray(t)&&t.length>0)return t;throw N(e,`must be a list that is not empty, got ${w(t)}`)}i(
Pe,"list");function ns({given:t,place:e}){if(M(t))return t;throw N(e,`must be an object, got ${w(t)}`)}i(ns,"object");var Ee=i(
(t,e)=>(n,r)=>typeof n=="number"&&!t(n)?`${r} must be ${e}`:void 0,"ofNumbers"),qn=i((t,e)=>(n,r)=>typeof n=="string"&&!t(
n)?`${r} must have ${e}`:void 0,"ofTexts"),Yn=i((t,e)=>(n,r)=>Array.isArray(n)&&!t(n)?`${r} must have ${e}`:void 0,"ofLi\
sts");function on(t,e){if(Object.is(t,e)||t===e)return!0;if(Array.isArray(t)&&Array.isArray(e))return t.length===e.length&&
t.every((o,s)=>on(o,e[s]));if(!M(t)||!M(e))return!1;let[n,r]=[Object.keys(t),Object.keys(e)];return n.length===r.length&&
n.every(o=>Object.hasOwn(e,o)&&on(t[o],e[o]))}i(on,"same");function ts(t){return JSON.stringify(t,(e,n)=>M(n)?Object.fromEntries(
Object.entries(n).sort(([r],[o])=>r<o?-1:1)):n)}i(ts,"canonical");var sr=i(t=>[...t].length,"points"),zn=i((t,e)=>/^[A-Za-z_$][\w$]*$/.
test(e)?`${t}.${e}`:`${t}[${JSON.stringify(e)}]`,"field"),Qn={type({given:t,place:e}){let n=Array.isArray(t)?t:[t],r=n.map(
s=>typeof s=="string"&&Object.hasOwn(Vn,s)?Vn[s]:void 0);if(r.length===0||r.includes(void 0))throw N(e,`must be ${Object.
keys(Vn).join(", ")}, or a list of these; got ${w(t)}`);let o=n.join(" or ");return(s,a)=>r.some(u=>u?.(s))?void 0:`${a}\
 must be of the type ${o}, got ${w(s)}`},enum(t){let e=Pe(t);return(n,r)=>e.some(o=>on(o,n))?void 0:`${r} must be one of\
 ${JSON.stringify(e)}`},const({given:t}){return(e,n)=>on(t,e)?void 0:`${n} must be ${JSON.stringify(t)}`},properties(t){
let e=Object.entries(ns(t)).map(([n,r])=>[n,t.reader.read(r,`${t.place}/${n}`)]);return(n,r)=>{if(M(n))for(let[o,s]of e){
let a=Object.hasOwn(n,o)?s(n[o],zn(r,o)):void 0;if(a!==void 0)return a}}},required({given:t,place:e}){if(!Array.isArray(
t)||!t.every(r=>typeof r=="string"))throw N(e,"must be a list of names");let n=t;return(r,o)=>{let s=M(r)?n.find(a=>!Object.
hasOwn(r,a)):void 0;return s===void 0?void 0:`${zn(o,s)} is missing`}},additionalProperties({reader:t,schema:e,given:n,place:r}){
let o=new Set(M(e.properties)?Object.keys(e.properties):[]),s=t.read(n,r);return(a,u)=>{if(M(a))for(let d of Object.keys(
a)){let c=o.has(d)?void 0:s(a[d],zn(u,d));if(c!==void 0)return c}}},minProperties:i(t=>{let e=K(t,0);return(n,r)=>M(n)&&
Object.keys(n).length<e?`${r} must have at least ${e} fields`:void 0},"minProperties"),maxProperties:i(t=>{let e=K(t,0);
return(n,r)=>M(n)&&Object.keys(n).length>e?`${r} must have at most ${e} fields`:void 0},"maxProperties"),items({reader:t,
schema:e,given:n,place:r}){let o=Array.isArray(e.prefixItems)?e.prefixItems.length:0,s=t.read(n,r);return(a,u)=>{if(Array.
isArray(a))for(let d=o;d<a.length;d+=1){let c=s(a[d],`${u}[${d}]`);if(c!==void 0)return c}}},prefixItems(t){let e=Pe(t).
map((n,r)=>t.reader.read(n,`${t.place}/${r}`));return(n,r)=>{if(Array.isArray(n))for(let[o,s]of e.entries()){let a=o<n.length?
s(n[o],`${r}[${o}]`):void 0;if(a!==void 0)return a}}},minItems:i(t=>{let e=K(t,0);return Yn(n=>n.length>=e,`at least ${e}\
 entries`)},"minItems"),maxItems:i(t=>{let e=K(t,0);return Yn(n=>n.length<=e,`at most ${e} entries`)},"maxItems"),uniqueItems:i(
({given:t})=>Yn(e=>t!==!0||new Set(e.map(ts)).size===e.length,"no entry twice"),"uniqueItems"),minimum:i(t=>{let e=K(t);
return Ee(n=>n>=e,`at least ${e}`)},"minimum"),maximum:i(t=>{let e=K(t);return Ee(n=>n<=e,`at most ${e}`)},"maximum"),exclusiveMinimum:i(
t=>{let e=K(t);return Ee(n=>n>e,`more than ${e}`)},"exclusiveMinimum"),exclusiveMaximum:i(t=>{let e=K(t);return Ee(n=>n<
e,`less than ${e}`)},"exclusiveMaximum"),multipleOf:i(t=>{let e=K(t);if(e<=0)throw N(t.place,"must be above 0");return Ee(
i(r=>Math.abs(r/e-Math.round(r/e))<1e-9,"isWhole"),`a multiple of ${e}`)},"multipleOf"),minLength:i(t=>{let e=K(t,0);return qn(
n=>sr(n)>=e,`at least ${e} characters`)},"minLength"),maxLength:i(t=>{let e=K(t,0);return qn(n=>sr(n)<=e,`at most ${e} c\
haracters`)},"maxLength"),pattern({given:t,place:e}){let n;try{n=new RegExp(t,"u")}catch(r){throw N(e,`is no regular exp\
ression: ${r.message}`)}return qn(r=>n.test(r),`the pattern ${n.source}`)},allOf(t){let e=Pe(t).map((n,r)=>t.reader.read(
n,`${t.place}/${r}`));return(n,r)=>e.reduce((o,s)=>o??s(n,r),void 0)},anyOf(t){let e=Pe(t).map((n,r)=>t.reader.read(n,`${t.
place}/${r}`));return(n,r)=>{let o=e.map(s=>s(n,r));return o.includes(void 0)?void 0:`${r} fits none of the alternatives\
: ${o.join("; ")}`}},oneOf(t){let e=Pe(t).map((n,r)=>t.reader.read(n,`${t.place}/${r}`));return(n,r)=>{let o=e.map(a=>a(
n,r)),s=o.filter(a=>a===void 0).length;if(s!==1)return s>1?`${r} fits ${s} alternatives, not one`:`${r} fits none of the\
 alternatives: ${o.join("; ")}`}},not({reader:t,given:e,place:n}){let r=t.read(e,n);return(o,s)=>r(o,s)===void 0?`${s} m\
ust not be as it is`:void 0},$ref({reader:t,given:e,place:n}){if(typeof e!="string")throw N(n,`must be a text, got ${w(e)}`);
return t.read(t.find(e,n),e)}},rs=Object.keys(Qn),os=rs.join(", ");function ar(t){if(t===void 0)return;if((typeof t=="object"&&t!==null||typeof t=="function")&&"~standard"in t)return ss(t);
if(typeof t!="object"||t===null||Array.isArray(t))throw h("`schema`","a Standard Schema or a JSON Schema object",t);let n=ir(
t);return{schema:t,check(r,o){if(r===void 0)return ur;let s=dr(r,o);if("wrong"in s)return s;let a=JSON.parse(s.json);try{
let u=n(a,"value");return u===void 0?{value:a,json:s.json}:{wrong:u}}catch(u){return{wrong:`the schema failed: ${x(u)}`}}}}}
i(ar,"readSchema");var ur={wrong:"the result has no `value`, and its `schema` asks for one"};function ss(t){let e=t["~st\
andard"],{validate:n}=typeof e=="object"&&e!==null?e:{};if(typeof n!="function")throw h("`schema`","a Standard Schema wi\
th `validate`",t);return{schema:t,check(r,o){if(r===void 0)return ur;let s=i(u=>({wrong:`the schema failed: ${x(u)}`}),"\
failed"),a=i(u=>{try{return is(u,o)}catch(d){return s(d)}},"judge");try{let u=n(r);return typeof u=="object"&&u!==null&&
typeof u.then=="function"?Promise.resolve(u).then(a,s):a(u)}catch(u){return s(u)}}}}i(ss,"readStandard");function is(t,e){
if(typeof t!="object"||t===null)return{wrong:`the schema failed: it answered ${w(t)}`};if(t.issues!==void 0)return{wrong:t.
issues.map(as).join("; ")||"the schema refused the value"};let n=dr(t.value,e);return"wrong"in n?n:{value:t.value,json:n.
json}}i(is,"judged");function as({message:t,path:e=[]}){return`value${e.map(r=>typeof r=="object"?r.key:r).map(String).map(
r=>/^\d+$/.test(r)?`[${r}]`:`.${r}`).join("")}: ${t}`}i(as,"sayIssue");function dr(t,e){let n=`as JSON, and \`maxResultBy\
tes\` allows ${e}`,r=Math.max(e,C),o;try{o=Ye(t,r,`it has more than ${r} bytes ${n}`)}catch(a){return{wrong:`value is no\
 JSON: ${x(a)}`}}if(o===void 0)return{wrong:`value is no JSON: ${w(t)}`};let s=o.length*3<=e?o.length:new TextEncoder().
encode(o).length;return s>e?{wrong:`value has ${s} bytes ${n}`}:{json:o}}i(dr,"store");function an(t){return t.staged??=gr(sn),t.staged}i(an,"stagedBy");var us=["instructions","goal","message","task","taskDe\
scription","task_description"],sn={label:void 0,contextHint:void 0,tools:void 0,systemPrompt:void 0,maxTurns:void 0,maxSteps:void 0,
timeoutMs:void 0,idleTimeoutMs:void 0,turnEstimate:void 0,priority:void 0,modelId:void 0,agent:void 0,agentId:void 0,profile:void 0,
promptProfile:void 0,rateLimitKey:void 0,idempotencyKey:void 0,origin:void 0,format:void 0,nickname:void 0,onParentEnd:void 0,
retry:void 0,metadata:void 0},cr=new Set(Object.keys(sn)),fr=new Set(["instructions","goal","message","task","taskDescri\
ption","task_description","maxCost","budget","signal","schema"]);function Ie(t,e,n=!1){try{return ds(t,e,n)}catch(r){throw Mn(
"the options of spawn",r)}}i(Ie,"readSpawn");function ds(t,e,n){let o=typeof t=="object"&&t!==null&&Object.getPrototypeOf(
t)===Object.prototype?t:R("the options of spawn",t),s={text:void 0,renamed:!1,background:!1,manual:!1,answers:0,tokens:Number.
NaN,cost:Number.NaN,turns:Number.NaN,staged:void 0,asked:void 0,signal:void 0,schema:void 0,watch:void 0},a,u=!1;for(let d of Object.
getOwnPropertyNames(o))if(d==="instructions")s.text=hr(o,d,s.text);else if(cr.has(d))a??={...sn},a[d]=o[d];else if(d==="\
background"){let{background:c}=o;if(c!==void 0&&typeof c!="boolean")throw h("`background`","a boolean",c);s.background=c===
!0,u=c!==void 0}else if(fr.has(d))ls(s,o,d);else if(Object.prototype.propertyIsEnumerable.call(o,d))throw ve("spawn",d,[
...cr,...fr,"background"]);if(Number.isNaN(s.cost)||(s.asked=lr(s,o)),a!==void 0||n&&!Number.isNaN(s.cost)){if(s.staged=
gr(a??sn),s.asked=lr(s,o),n&&cs(s,s.staged),s.staged.idempotencyKey!==void 0&&(s.staged.parameters=fs(s)),e?.agents.fill(
s,s.staged,u),s.staged.onParentEnd!==void 0&&!s.background)throw new y("invalid_argument","`onParentEnd` is for `backgro\
und: true`: others end with their caller",{argument:"onParentEnd"});s.staged.profile!==void 0&&e?.profiles.check(s.staged.
profile)}return s}i(ds,"read");function lr({staged:t,cost:e},n){return{tools:t?.tools,maxTurns:Object.hasOwn(n,"maxTurns")?
t?.maxTurns:void 0,maxCost:Object.hasOwn(n,"maxCost")&&!Number.isNaN(e)?e:void 0}}i(lr,"askedOf");function cs(t,e){e.wishedTurns=
e.maxTurns,e.maxTurns=void 0,!Number.isNaN(t.cost)&&(e.wishedCost=t.cost,t.cost=Number.NaN)}i(cs,"wish");function fs({signal:t,
renamed:e,schema:n,asked:r,staged:o,...s}){let{idempotencyKey:a,metadata:u,...d}=o;return JSON.stringify({...s,...d},(c,f)=>typeof f==
"number"?`${f}`:f)}i(fs,"parametersOf");function hr(t,e,n){let r=t[e];if(r===void 0)return n;let o=I(`\`${e}\``,r),s=i(a=>new y(
"invalid_argument",`\`${e}\` ${a}`,{argument:e}),"wrong");if(n!==void 0)throw s(`says the same as another option: give o\
ne of ${us.join(", ")}`);if(o.trim()==="")throw s("must not be empty");return z(o)}i(hr,"readText");function ls(t,e,n){switch(n){case"\
maxCost":{let r=Fn("`maxCost`",e.maxCost);r!==void 0&&(t.cost=mr(t.cost,r,"maxCost"));return}case"budget":{let r=Re("bud\
get",e.budget);r.tokens!==void 0&&(t.tokens=r.tokens),r.costUsd!==void 0&&(t.cost=mr(t.cost,r.costUsd,"budget.costUsd")),
r.turns!==void 0&&(t.turns=r.turns);return}case"schema":{t.schema=ar(e.schema);return}case"signal":{t.signal=Ve("`signal\
`",e.signal);return}default:{let r=hr(e,n,t.text);t.renamed||=r!==t.text,t.text=r}}}i(ls,"readOther");function mr(t,e,n){
if(!Number.isNaN(t))throw J("`maxCost` and `budget.costUsd`",n);return e}i(mr,"only");function gr(t){let{label:e,contextHint:n,
tools:r,systemPrompt:o,maxTurns:s,maxSteps:a,timeoutMs:u,idleTimeoutMs:d,turnEstimate:c,priority:f}=t;if(s!==void 0&&a!==
void 0)throw J("`maxTurns` and `maxSteps`","maxSteps");let l={label:ms(e),contextHint:D("`contextHint`",n),tools:Y("`too\
ls`",r),systemPrompt:D("`systemPrompt`",o),maxTurns:P("`maxTurns`",s)??P("`maxSteps`",a),timeoutMs:ue("`timeoutMs`",u),idleTimeoutMs:ue(
"`idleTimeoutMs`",d),turnEstimate:P("`turnEstimate`",c),priority:Wt("`priority`",f)};return hs(t)&&Object.assign(l,gs(t)),
l}i(gr,"readStaged");function ms(t){let e=D("`label`",t);return e?.trim()===""?void 0:e}i(ms,"labelOf");var ps=["modelId",
"agent","agentId","profile","promptProfile","rateLimitKey","idempotencyKey","origin","nickname","onParentEnd","retry","m\
etadata","format"];function hs(t){return ps.some(e=>t[e]!==void 0)}i(hs,"hasRare");function gs(t){let{modelId:e,agent:n,
agentId:r,profile:o,promptProfile:s,rateLimitKey:a,idempotencyKey:u,nickname:d,format:c,onParentEnd:f}=t;if(f!==void 0&&
!Hn.includes(f))throw h("`onParentEnd`",`one of ${Hn.join(", ")}`,f);return{nickname:ae("`nickname`",d),onParentEnd:f,retry:rn(
"retry",t.retry),metadata:nr("metadata",t.metadata),modelId:D("`modelId`",e),profile:pr("profile",o,"promptProfile",s),sourceAgentId:pr(
"agent",n,"agentId",r),rateLimitKey:ae("`rateLimitKey`",a),idempotencyKey:ae("`idempotencyKey`",u),...bs(t.origin),...br(
c)==="json"&&{json:!0}}}i(gs,"readRare");function pr(t,e,n,r){let[o,s]=[ae(`\`${t}\``,e??void 0),ae(`\`${n}\``,r??void 0)];
if(o!==void 0&&s!==void 0)throw J(`\`${t}\` and \`${n}\``,n);return o??s}i(pr,"either");function bs(t){if(t===void 0)return{};
let e=R("`origin`",t,"an object with channel and chatId"),{channel:n,chatId:r,...o}=e;if(H("origin",o,["channel","chatId"]),
n!==void 0&&(typeof n!="string"||n===""||n.includes(":")))throw h("`origin.channel`","a text without a colon",n);if(r!==
void 0&&(typeof r!="string"||r===""))throw h("`origin.chatId`","a text",r);return{originChannel:D("`origin.channel`",n),
originChatId:D("`origin.chatId`",r)}}i(bs,"originOf");function br(t){if(t===void 0||t==="text"||t==="json")return t;throw h(
"`format`","'text' or 'json'",t)}i(br,"formatOf");var yr={description:!0,prompt:!0,model:!0,disallowedTools:!0},he=class{static{i(this,"Agents")}#e=new Map;constructor(e){
if(e!==void 0)for(let[n,r]of Object.entries(R("`agents`",e,"an object of definitions")))this.#e.set(n,O(`\`agents.${n}\``,
()=>ys(n,r)))}get names(){return[...this.#e.keys()]}get descriptions(){return[...this.#e].map(([e,{description:n}])=>`- ${e}\
: ${n}`).join(`
`)}checkProfiles(e){for(let{staged:n}of this.#e.values())n.profile!==void 0&&e.check(n.profile)}fill(e,n,r){let{sourceAgentId:o}=n;
if(o===void 0)return;let s=this.#e.get(o);if(s===void 0){let{names:d}=this,c=d.length===0?"none is defined":`there are ${d.
join(", ")}`;throw new y("unknown_agent",`there is no agent called ${w(o)}; ${c}`,{agent:o,known:d})}let{request:a,staged:u}=s;
Number.isNaN(e.tokens)&&(e.tokens=a.tokens),Number.isNaN(e.cost)&&(e.cost=a.cost),Number.isNaN(e.turns)&&(e.turns=a.turns),
r||(e.background=a.background),e.schema??=a.schema;for(let d of Object.keys(u))n[d]===void 0&&(n[d]=u[d])}};function ys(t,e){
if(t==="")throw new y("invalid_argument","the name of an agent must not be empty");ie("the name of an agent",t);let n=R(
`\`agents.${t}\``,e),{description:r,prompt:o,model:s,disallowedTools:a}=n;if(typeof r!="string"||r.trim()==="")throw h(`\
\`agents.${t}.description\``,"a text",r);let u=Object.entries(n).filter(([f])=>!Object.hasOwn(yr,f)),d=u.find(([f])=>!wr.
has(f))?.[0];if(d!==void 0)throw Oe(`an agent has no \`${d}\`: \`agents.${t}\``,d,[...wr,...Object.keys(yr)],{argument:`\
agents.${t}.${d}`});let c=Object.fromEntries(u);o!==void 0&&(c.systemPrompt=o),s!==void 0&&s!=="inherit"&&(c.modelId=s),
c.agent=t;try{let f=Ie(c),l=f.staged;return a!==void 0&&(l.disallowedTools=Y("`disallowedTools`",a)),{description:r.trim(),
request:f,staged:l}}catch(f){let{code:l,message:m,details:p}=f;throw new y(l,`agents.${t}: ${m}`,{...p})}}i(ys,"read");var wr=new Set(
["tools","maxTurns","background","profile","budget","maxCost","timeoutMs","idleTimeoutMs","turnEstimate","priority","rat\
eLimitKey","contextHint","schema","retry"]);var _e={maxConcurrent:3,maxQueued:1e5,maxDepth:1,maxChildren:32,maxTasks:1e5,retain:1e3,maxSessions:1e4,maxAbandoned:16,
maxTurns:20,turnEstimate:2e3,wrapUpTokens:1e3,timeoutMs:18e5,graceMs:1e4,idleTimeoutMs:3e5,abandonMs:6e4,askTimeoutMs:6e5,
maxMessages:20,maxResultBytes:1048576,inlineBytes:16384,maxSummaryTokens:2e3,approvalTimeoutMs:6e5,ageingMs:1e4,idempotencyTtlMs:864e5,
maxIdempotencyKeys:1e5,staggerMs:0,maxCooldownMs:36e5,maxCooldowns:1e3,leaseMs:6e4,maxDeliveries:5,maxNotices:1e5,maxInjected:32};var kr;function F(t,e){kr??=new Map(Object.keys(_e).map((r,o)=>[r,o]));let n=kr.get(e);return t.call(r=>r.limit(n))}i(F,
"limitOf");var un={maxSubAgentSteps:"maxTurns"},Sr=[...Object.keys(_e),...Object.keys(un),"budget","totalTokenBudget","taskBudget",
"onLimit"];function ks(t){let e=Object.keys(un).filter(n=>un[n]===t);return[t,...e].map(n=>`\`${n}\``).join(", ")}i(ks,"\
namesOf");var dn=class{static{i(this,"Bounds")}#e=new Map;#n={};#t;#r;#o;take(e,n){let r=un[e]??e;if(e==="budget")this.#n=
Re(e,n);else if(e==="totalTokenBudget")this.#t=P("`totalTokenBudget`",n);else if(e==="taskBudget")this.#r=Re(e,n);else if(e===
"onLimit"){if(n!=="queue"&&n!=="reject")throw h("`onLimit`","'queue' or 'reject'",n);this.#o=n}else if(Object.hasOwn(_e,
r))this.#s(e,r,n);else return!1;return!0}#s(e,n,r){if(typeof r!="number")throw h(`\`${e}\``,"a number",r);if(e!==n&&P(`\`${e}\
\``,r),this.#e.has(n))throw new y("invalid_argument",`\`${n}\` and its alias say the same: give one of ${ks(n)}`,{argument:e});
this.#e.set(n,r)}apply(e,n={}){let r=this.#n;if(this.#t!==void 0){if(r.tokens!==void 0)throw J("`totalTokenBudget` and `\
budget.tokens`","totalTokenBudget");r={...r,tokens:this.#t}}let o={budget:r,taskBudget:this.#r,onLimit:this.#o},s={...n,
limits:[...this.#e],...o};if(!e.call(a=>a.configure(b(),s)))throw this.#i(e.refusal());e.carryOut(),e.expectSound()}#i(e){
let{code:n,message:r,details:o}=e,s=[...this.#e].find(([a])=>r.startsWith(`\`${a}\``));return s===void 0?e:new y(n,`${r}\
, got ${w(s[1])}`,{...o})}};var Zn="minimal";function Ss(t){return["You are a sub-agent: another agent gave you one task, and you see nothing else o\
f its work.","- Work on this task and on nothing else.","- You can not send messages to the user or ask them anything.",
...t?[]:["- You can not start sub-agents."],"- End with a clear and concise summary of what you did and what you found. \
It is all that the other agent gets."].join(`
`)}i(Ss,"minimal");var ge=class{static{i(this,"Profiles")}#e=new Map([[Zn,(e,n)=>Ss(n)]]);constructor(e){if(e!==void 0)for(let[
n,r]of Object.entries(R("`profiles`",e,"an object of functions"))){if(ie("the name of a profile",n),typeof r!="function")
throw h(`\`profiles.${n}\``,"a function that makes a system prompt",r);this.#e.set(n,o=>r(o()))}}get names(){return[...this.#e.
keys()]}check(e){if(this.#e.has(e))return;let n=[...this.#e.keys()];throw new y("unknown_profile",`there is no profile c\
alled ${w(e)}; there are ${n.join(", ")}`,{profile:e,known:n})}prompt(e,n,r){this.check(e);let o;try{o=this.#e.get(e)?.(
n,r)}catch(s){throw new y("invalid_argument",`the profile ${w(e)} failed: ${x(s)}`,{},{cause:s})}if(typeof o!="string")throw h(
`what the profile ${w(e)} returns`,"a string",o);return o}};var Ar=512,xr=1024;function cn(t){let e=t%Ar;return{turn:Math.floor(t/xr),injects:t%xr>=Ar,wrapUp:e===0?void 0:T[e-1]}}i(
cn,"turnOf");function fn(t,e,n){let r=i(o=>!e||t.unknown.includes(o)||t.invalid.includes(o)?null:t[o],"known");return{tokens:r("token\
s"),costUsd:r("costUsd"),turns:r("turns"),durationMs:e?n:null}}i(fn,"figuresOf");function vr(t,e,n){let{actor:r,runtime:o}=t,s=t.policing(),a=t.isMain?void 0:o.lookup.snapshot(r.slot,r.generation),u=a===
void 0?Tr:fn(a.usage,a.startedAt!==null,a.durationMs);return{taskId:a?.taskId??null,status:e,reason:n,partial:!0,output:Rr(
o,a?.output??""),error:null,stats:et(s,{...u,turns:s?.turns??null}),todos:Te(s?.todos??""),recentMessages:[...t.messages]}}
i(vr,"reportOf");function Or(t,e,n,r){let o=n.call(s=>s.policing(r.slot,r.generation));return{taskId:t.taskId,status:t.status,
reason:t.stopReason,partial:t.partial,output:Rr(n,As(t,e,n,r)),error:t.error??null,stats:et(o,t.figures),todos:Te(o?.todos??
""),recentMessages:[...e?.messages??[]]}}i(Or,"reportOfResult");function be(t){return Ue(t)}i(be,"reportText");function ln(t,e,n){
return{taskId:t,status:e,reason:null,partial:!1,output:"",error:n,stats:et(void 0,Tr),todos:[],recentMessages:[]}}i(ln,"\
reportOfNone");var Tr={tokens:null,costUsd:null,turns:null,durationMs:null};function et(t,{tokens:e,costUsd:n,turns:r,durationMs:o}){
let{contextTokens:s=null,openTodos:a=0,counts:u=[]}=t??{};return{turns:r,tokens:e,costUsd:n,durationMs:o===null?null:Math.
round(o),contextTokens:s,openTodos:a,counts:Object.fromEntries(u)}}i(et,"stats");function As(t,e,n,{slot:r,generation:o}){
let{output:s}=t,a=s===""?null:xs(t,e,n,r,o);if(a===null||a!==s)return s;let u=nt(a);return u===void 0?s:u.output||(u.recentMessages.
at(-1)??"")}i(As,"outputOf");function xs(t,e,n,r,o){if(e?.report!==void 0)return e.report;if(n.isClosed||n.call(u=>u.status(
r,o))<0)return null;let{run:s,report:a}=n.lookup.snapshot(r,o);return s===t.run?a:null}i(xs,"madeByPolicy");function nt(t){
if(t.startsWith('{"taskId":'))try{let{output:e,recentMessages:n,stats:r,status:o}=JSON.parse(t);return typeof o=="string"&&
typeof e=="string"&&typeof r=="object"&&Array.isArray(n)?JSON.parse(t):void 0}catch{return}}i(nt,"readReport");function Rr(t,e){
if(e==="")return"";let n=t.write(e);return t.call(r=>r.inline(n))}i(Rr,"inlined");var vs=10,Os=500,Ce=class{static{i(this,"Agent")}runtime;actor;messages=[];blockedBecause=void 0;report=void 0;asksForTurn=!1;readPrompt;injected=[];waiting=0;pending=new Set;stopped=!1;constructor(e,n,r){
this.runtime=e,this.actor=n,this.readPrompt=r}get isMain(){return this.actor.run===0}get prompt(){return this.readPrompt()}say(e){
this.messages.push(qe(e,Os)),this.messages.length>vs&&this.messages.shift()}inject(e){this.injected.push(e)}get hasInjected(){
return this.injected.length>0}takeInjected(){let e=this.injected;return this.injected=[],e}context(e,n){return Object.assign(
new tt(this,e),n)}policing(){let{slot:e,generation:n}=this.actor;return this.runtime.call(r=>r.policing(e,n))}count(e,n,r){
let{slot:o,generation:s,run:a}=this.actor,u=this.runtime.write(e);return this.runtime.act(d=>d.count(b(),o,s,a,u,n,r))}rule(e,{
answer:n,policy:r,text:o,reason:s}){if(this.runtime.isClosed)return!1;let{slot:a,generation:u,run:d}=this.actor;n==="blo\
ck"&&!e.endsWith("_tool")&&(this.blockedBecause??=o),n==="finish"&&(this.report=o);let c=this.runtime.write(r),f=this.runtime.
write(r+o)-c,[l,m,p]=[rr.indexOf(e),or.indexOf(n),T.indexOf(s)];return this.runtime.act(k=>k.rule(b(),a,u,d,l,m,p,c,f))}wait(e){
if(e==="on_timeout")return()=>{};let{slot:n,generation:r,run:o}=this.actor,s=this.isMain?new re(()=>this.end("overdue")):
void 0;if(this.waiting+=1,s!==void 0){let a=this.runtime.isClosed?0:F(this.runtime,"approvalTimeoutMs");s.hold(!0),a!==Number.
POSITIVE_INFINITY&&s.set(b()+a)}else this.waiting===1&&!this.runtime.isClosed&&this.runtime.act(a=>a.awaitApproval(b(),n,
r,o));return()=>{this.waiting-=1,s?.stop(),!(this.waiting>0||this.isMain||this.runtime.isClosed||e==="before_start")&&this.
runtime.act(a=>a.approved(b(),n,r,o,!1))}}until(e){return this.stopped?Promise.resolve("stopped"):new Promise(n=>{let r=i(
o=>{this.pending.delete(r),n(o)},"end");this.pending.add(r),e.then(o=>r({value:o}),o=>r({error:o}))})}stop(){this.stopped=
!0,this.end("stopped")}overdue(){this.end("overdue")}end(e){for(let n of[...this.pending])n(e)}},tt=class{static{i(this,
"Context")}#e;#n;#t;constructor(e,n){this.#e=e,this.#n=n}get#r(){return this.#t??=this.#e.policing(),this.#t}get agent(){
return this.#e.isMain?"main":"sub"}get taskId(){let{slot:e,generation:n}=this.#e.actor;return this.#e.isMain?null:this.#e.
runtime.lookup.taskId(e,n)}get run(){return this.#e.actor.run}get prompt(){return this.#e.prompt}get turns(){return this.#r?.
turns??0}get contextTokens(){return this.#r?.contextTokens??void 0}get todos(){return Te(this.#r?.todos??"")}get openTodos(){
return this.#r?.openTodos??0}get recentMessages(){return[...this.#e.messages]}count(e,n={}){let r=this.#e.count(this.#n,
e,n.openTodosOnly===!0);return r>0?"counted":r===0?"nothing_to_count":"exhausted"}report(e,n){return vr(this.#e,e,n)}};var Ir={before_spawn:"beforeSpawn",before_start:"beforeStart",before_turn:"beforeTurn",before_tool:"beforeTool",after_tool:"\
afterTool",before_end:"beforeEnd",on_timeout:"onTimeout"},_r=["name","blockedTools",...Object.values(Ir)],jr={before_spawn:[
"inject","block","finish"],before_start:["inject","block","finish"],before_turn:["inject","block","finish"],before_tool:[
"inject","block","finish"],after_tool:["inject","block","finish"],before_end:["inject","force_turn","block","finish"],on_timeout:[
"inject","finish"]},ye=class{static{i(this,"PolicyList")}blockedTools;#e=new Map;constructor(e,n){let r=new Map,o=new Set;
for(let{policy:s,place:a}of Ts(e,n)){let u=Rs(s,a),d=(r.get(u)??0)+1;r.set(u,d),this.#n(s,a,d===1?u:`${u}#${d}`);let c=Y(
mn(a,"blockedTools"),rt(s,a,"blockedTools"));for(let f of c??[])o.add(f)}this.blockedTools=[...o]}#n(e,n,r){let o=O(n,()=>js(
e));if(o!==void 0)throw He("a policy",o,_r);for(let[s,a]of Object.entries(Ir)){let u=rt(e,n,a);if(u===void 0)continue;if(typeof u!=
"function")throw h(mn(n,a),"a function",u);let d=this.#e.get(s)??[];d.push({name:r,ask:i(c=>Reflect.apply(u,e,[c]),"ask")}),
this.#e.set(s,d)}}has(e){return this.#e.has(e)}ask(e,n,r){let o=this.#e.get(e)??[];for(let[s,a]of o.entries()){let u=Pr(
a,n,r);if("later"in u)return e!=="before_spawn"?this.#t(e,n,r,s,u.later):(u.later.then(void 0,()=>{}),ot(e,n,a.name,new Error(
"it has to answer at once here, it returned a promise")));let d=Er(e,n,a.name,u);if(d!==void 0)return d}}async#t(e,n,r,o,s){
let a=this.#e.get(e)??[],u=n.wait(e);try{let d=s;for(let c=o;c<a.length;c+=1){let f=a[c],l;if(d===void 0){let p=Pr(f,n,r);
l="later"in p?await n.until(p.later):p}else l=await n.until(d),d=void 0;if(l==="stopped")return;let m=Er(e,n,f.name,l===
"overdue"?{error:new Error("it took too long to answer")}:l);if(m!==void 0)return m}return}finally{u()}}};function Ts(t,e){
return e===void 0?[]:L(t,"a list of policies",e,(n,r)=>({policy:se(r,n,"a policy"),place:r}))}i(Ts,"policiesOf");function mn(t,e){
return t.endsWith("`")?`${t.slice(0,-1)}.${e}\``:`\`${e}\` of ${t}`}i(mn,"within");function rt(t,e,n){return O(mn(e,n),()=>$(
t,n))}i(rt,"partOf");function Rs(t,e){let n=rt(t,e,"name")??"policy";return z(I(mn(e,"name"),n))}i(Rs,"nameIn");function js(t){
let e=Object.getPrototypeOf(t),n=e===null||Object.getPrototypeOf(e)===null;return Object.keys(t).find(r=>!_r.includes(r)&&
(n||/^(before|after|on)[A-Z]/.test(r)))}i(js,"strangerIn");function Pr(t,e,n){try{let r=t.ask(e.context(t.name,n));return typeof r==
"object"&&r!==null&&typeof r.then=="function"?{later:new Promise(s=>s(r))}:{value:r}}catch(r){return{error:r}}}i(Pr,"ans\
werOf");function Er(t,e,n,r){if("error"in r)return ot(t,e,n,r.error);try{return Ps(t,n,r.value)}catch(o){return ot(t,e,n,
o)}}i(Er,"judge");function ot(t,e,n,r){let o=`the policy ${n} failed: ${x(r)}`;if(t!=="after_tool"&&t!=="on_timeout")return{
answer:"block",policy:n,text:o,reason:"policy"};e.runtime.report(r)}i(ot,"failed");function Ps(t,e,n){if(n==null)return;
if(typeof n!="object")throw new Error(`it answered ${w(n)}`);let r=i(l=>$(n,l),"part"),[o,s,a,u,d="policy"]=["action","t\
ext","reason","report","stopReason"].map(r);if(o==="continue")return;let c=o;if(!jr[t].includes(c))throw new Error(`it a\
nswered ${w(o)}, here it may answer ${["continue",...jr[t]].join(", ")}`);let f={inject:s,force_turn:s??"Take another tu\
rn before you end.",block:a,finish:u}[c];if(typeof f!="string")throw new Error(`it answered ${c} with ${w(f)} where a te\
xt belongs`);if(!T.includes(d))throw new Error(`it answered with the stop reason ${w(d)}`);return{answer:c,policy:e,text:z(
I("what it says",f)),reason:d}}i(Ps,"read");var we=class{static{i(this,"Gates")}sub;runtime;policies;limits;mains=new Map;constructor(e,n,r){this.runtime=e,this.sub=
new ye("`policies.subAgents`",n.subAgents),this.policies=new ye("`policies.main`",n.main),this.limits=r}sessionPolicies(e){
return e===void 0?this.policies:new ye("`policies`",e)}openSession(e,n,r){this.mains.set(e.slot,this.newMain(e,n,{...this.
limits,...r}))}main(e){let n=this.mains.get(e.slot);if(n?.agent.actor.generation===e.generation)return n;let r=this.newMain(
e,this.policies,this.limits);return n===void 0&&this.mains.set(e.slot,r),r}newMain(e,n,r){let s={agent:new Ce(this.runtime,
e,()=>s.prompt),policies:n,limits:r,prompt:""};return s}agentOf(e){return e.agent??=new Ce(this.runtime,e,()=>e.prompt()),
e.agent}listFor(e){return e.isMain?this.main(e.actor).policies:this.sub}close(){for(let{agent:e}of this.mains.values())e.
stop()}beforeSpawn(e,n,r){let o=e.run===0,s=o?this.main(e).policies:this.sub;if(!s.has("before_spawn"))return;let a=o?this.
main(e).agent:this.agentOf(e),u=s.ask("before_spawn",a,{task:n.text,params:r});if(u===void 0)return;a.rule("before_spawn",
u);let{answer:d,policy:c,text:f}=u;if(d==="inject"){let l=an(n);l.contextHint=l.contextHint===void 0||l.contextHint===""?
f:`${l.contextHint}

${f}`;return}throw new y("policy_blocked",f,{policy:c,...d==="finish"&&{report:f}})}start(e,n){let r=this.agentOf(e),o=this.
sub.ask("before_start",r,{});if(o instanceof Promise){this.runtime.alone(o.then(s=>this.started(e,s,n)));return}this.decideStart(
e,o,n)}started(e,n,r){let{runtime:o}=this;if(o.isClosed||e.settled)return;let{slot:s,generation:a,run:u}=e,d=(n===void 0||
n.answer==="inject")&&!this.isStopping(e);e.starting=()=>this.decideStart(e,n,r),!(o.act(c=>c.approved(b(),s,a,u,d))===0&&
d)&&e.takeStart()?.()}decideStart(e,n,r){let o=this.agentOf(e);n!==void 0&&o.rule("before_start",n),n?.answer==="inject"&&
o.inject(n.text),(n===void 0||n.answer==="inject")&&!this.isStopping(e)?r():this.runtime.hosts.settle(e,me())}isStopping(e){
let{slot:n,generation:r,run:o}=e;return!this.runtime.call(s=>s.isOpen(n,r,o))||this.runtime.lookup.snapshot(n,r).cancelRequested}async beforeTurn(e,n){
e.asksForTurn=!0;try{let r=await this.listFor(e).ask("before_turn",e,{});if(this.runtime.check(),r!==void 0){let a=e.rule(
"before_turn",r);if(r.answer==="inject")e.inject(r.text);else if(a)return Cr(r)}let o=await n();if(!o.go)return o;let s=e.
takeInjected();return s.length===0?o:{...o,inject:[...o.inject??[],...s]}}finally{e.asksForTurn=!1}}async mainTurn(e,n){
let{runtime:r}=this;r.check();let o=this.main(e),{agent:s,policies:a}=o,{slot:u,generation:d}=e;if(s.asksForTurn)throw new y(
"invalid_argument","the last beforeTurn has not answered yet");if(n!==void 0&&(r.act(c=>c.endMain(b(),u,d)),o.prompt=n),
(s.policing()?.turns??0)===0&&a.has("before_start")){s.asksForTurn=!0;let c=await a.ask("before_start",s,{});if(s.asksForTurn=
!1,r.check(),c!==void 0){if(s.rule("before_start",c),c.answer!=="inject")return Cr(c);s.inject(c.text)}}return this.beforeTurn(
s,()=>this.takeMainTurn(o))}async takeMainTurn(e){let{agent:n,policies:r,limits:o}=e,{slot:s,generation:a}=n.actor,{maxTurns:u=st,
maxContextTokens:d=st,timeoutMs:c=st}=o,f=this.runtime.call(v=>v.beginMainTurn(b(),s,a,u,d,c));if(f===-1)throw this.runtime.
refusal();if(f<0){this.runtime.carryOut();let v=T[-2-f]??"policy";return v!=="policy"?{go:!1,reason:v}:{go:!1,reason:v,message:`\
the context has ${n.policing()?.contextTokens} tokens, the limit is ${d}`}}let{turn:l,injects:m,wrapUp:p}=cn(f),k=m?{inject:this.
runtime.call(v=>v.takeInject())}:void 0;if(this.runtime.carryOut(),p===void 0)return{go:!0,turn:l,...k};let g=await r.ask(
"on_timeout",n,{reason:"timeout"}),S=g===void 0?void 0:this.timeoutAnswered(n,g);return{go:!0,turn:l,wrapUp:!0,reason:"t\
imeout",...k,...S!==void 0&&{report:S}}}async beforeTool(e,n,r){let{runtime:o}=this,{slot:s,generation:a,run:u}=e.actor;
if(o.check(),I("a tool's name",n)==="")throw h("a tool's name","a text that is not empty",n);if(!e.isMain){let l=o.write(
n);if(!o.call(m=>m.mayUse(s,a,u,l)))return this.toolRefused(e)}let d=this.listFor(e),c=d.has("before_tool")?await d.ask(
"before_tool",e,{tool:n,args:r}):void 0;if(o.check(),c!==void 0){if(e.rule("before_tool",c),c.answer==="block")return{allowed:!1,
reason:c.text};if(c.answer==="finish")return{allowed:!1,reason:c.text,finished:!0}}let f=o.write(n);return o.call(l=>l.beginTool(
b(),s,a,u,f))?(o.carryOut(),c===void 0?{allowed:!0}:{allowed:!0,inject:[c.text]}):this.toolRefused(e)}toolRefused(e){let{
code:n,message:r}=this.runtime.refusal();return n==="tool_blocked"&&e.rule("before_tool",{answer:"block",policy:"tools",
text:r,reason:"policy"}),{allowed:!1,reason:r}}async afterTool(e,n,r){let{runtime:o}=this,{slot:s,generation:a,run:u}=e.
actor;if(o.check(),I("a tool's name",n)==="")throw h("a tool's name","a text that is not empty",n);let c=!e.isMain&&o.call(
p=>p.endTool(b(),s,a,u))?o.call(p=>p.takeInject()):[];o.carryOut();let f=this.listFor(e),l=f.has("after_tool")?await f.ask(
"after_tool",e,{tool:n,result:r}):void 0;l!==void 0&&(o.check(),e.rule("after_tool",l),l.answer==="inject"&&c.push(l.text));
let m=c.length===0?{}:{inject:c};return l?.answer==="block"?{withheld:!0,reason:l.text,...m}:l?.answer==="finish"?{withheld:!1,
finished:!0,...m}:{withheld:!1,...m}}async beforeEnd(e,n){let{runtime:r}=this;r.check(),I("`output`",n);let o=this.listFor(
e),s=o.has("before_end")?await o.ask("before_end",e,{output:n}):void 0;if(r.check(),s!==void 0&&(e.rule("before_end",s),
s.answer==="inject"||s.answer==="force_turn"))return{end:!1,inject:[s.text]};let{slot:a,generation:u}=e.actor;return e.isMain&&
r.act(d=>d.endMain(b(),a,u)),s===void 0?{end:!0,output:n}:s.answer==="finish"?{end:!0,output:s.text}:{end:!0,output:"",reason:s.
text}}timedOut(e,n){if(!this.sub.has("on_timeout"))return;let r=this.agentOf(e),o=this.sub.ask("on_timeout",r,{reason:n}),
s=i(a=>{a!==void 0&&this.timeoutAnswered(r,{...a,reason:n})},"answered");o instanceof Promise?this.runtime.alone(o.then(
s)):s(o)}timeoutAnswered(e,n){if(e.rule("on_timeout",n),n.answer==="finish")return n.text;e.inject(n.text)}},st=Number.POSITIVE_INFINITY;
function Cr({answer:t,text:e,reason:n}){return t==="finish"?{go:!1,reason:n,report:e}:{go:!1,reason:n,message:e}}i(Cr,"r\
efusedTurn");function Es(t){return O("a notice",()=>{let{origin:e,text:n,deliveryId:r}=se("a notice",t);return{channel:"system",senderId:"\
subagent",chatId:`${e.channel}:${e.chatId}`,content:n,deliveryId:r}})}i(Es,"toBusMessage");function $r(t,e){return({inbox:n})=>{
for(let r of n.lease())i(async()=>{await t.publish(Es(r)),n.ack(r.deliveryId)},"taken")().catch(e)}}i($r,"publisher");function Mr(t){
let e=typeof t=="object"&&t!==null?t.publish:void 0;if(typeof e!="function")throw h("`bus`","an object with a function `\
publish`",t);return{publish:i(n=>e.call(t,n),"publish")}}i(Mr,"busOf");function pn(t){return O("a task",()=>{let{label:e,taskId:n}=se("a task",t);return`Subagent [${_(e,Q)}] started (id: ${_(
n)}). I'll notify you when it completes.`})}i(pn,"startedText");function it(t){let{process:e,Deno:n,reportError:r,console:o}=globalThis;try{e===void 0&&n===void 0&&typeof r=="function"?
r(t):o?.error(t)}catch{}}i(it,"logError");function at(t,e){try{let n=t();Is(n)&&new Promise(r=>r(n)).catch(e)}catch(n){e(
n)}}i(at,"notify");function Is(t){return typeof t=="object"&&t!==null&&typeof t.then=="function"}i(Is,"isThenable");function Se(t){return typeof WeakRef>"u"?{deref:i(()=>t,"deref")}:new WeakRef(t)}i(Se,"weakly");var ke=class{static{i(this,
"Collected")}registry;constructor(e){this.registry=typeof FinalizationRegistry>"u"?void 0:new FinalizationRegistry(e)}watch(e,n){
this.registry?.register(e,n,e)}unwatch(e){this.registry?.unregister(e)}};var hn=class{static{i(this,"Door")}manager;constructor(e){this.manager=e}get runtime(){return this.manager}shut(){this.manager=
void 0}},$e=[],Nr=[],ut,Z;function Fr(t,e,n){let r=Nr.pop()??$e.length;return $e[r]=Se(e),ut??=new ke(({host:o,alarm:s})=>{
s.stop(),Lr(o)}),ut.watch(t,{host:r,alarm:n}),r}i(Fr,"attach");function dt(t){ut?.unwatch(t),t.door.shut(),Lr(t.host)}i(
dt,"release");function Lr(t){$e[t]!==void 0&&($e[t]=void 0,Nr.push(t))}i(Lr,"detach");function U(t){let e=Z;return Z=t,Cn(
!0),e}i(U,"enter");function W(t){Z=t,t===void 0&&Cn(!1)}i(W,"leave");function Dr(){return Z!==void 0}i(Dr,"isInside");function E(t){
return Z!==void 0&&Z.host===t?Z:$e[t]?.deref()?.runtime}i(E,"find");function yd(t,e,n,r){E(t)?.runs.startRun(e,n,r)}i(yd,
"startRun");function wd(t,e,n,r,o){E(t)?.runs.runRetried(e,n,r,o)}i(wd,"runRetried");function kd(t,e,n,r,o){E(t)?.runs.abortRun(
e,n,r,o)}i(kd,"abortRun");function Sd(t,e,n,r){E(t)?.runs.turnReady(e,n,r)}i(Sd,"turnReady");function Ad(t,e,n){let r=E(
t);r?.sessionData.taskForgotten(e,n),r?.contexts.taskForgotten(e,n),r?.signals.taskGone(e,n)}i(Ad,"taskForgotten");function xd(t,e,n){
E(t)?.signals.taskGone(e,n)}i(xd,"taskClosed");function vd(t,e,n){E(t)?.wakes.mark(e)}i(vd,"wakeSession");function Od(t,e,n,r,o){
E(t)?.runs.policiesDue(e,n,r,o)}i(Od,"policiesDue");function Td(t,e){E(t)?.startsStopped(e)}i(Td,"startsStopped");function Rd(t,e){
E(t)?.wakeAt(e)}i(Rd,"wakeAt");function jd(t,e,n,r,o,s,a){E(t)?.runs.askDone(e,n,r,o,s,a)}i(jd,"askDone");function Pd(t,e,n,r){
E(t)?.waits.done(e,n,r)}i(Pd,"waitDone");function Ed(t,e,n,r,o,s,a,u,d,c,f,l,m,p,k){let{runs:g}=E(t)??{};g?.runEnded(e,n,
r,o,s,a,u,d,c,f,l,m,p,k)}i(Ed,"runEnded");function Id(t,e,n){E(t)?.listeners.facts(e,n)}i(Id,"facts");function _d(t,e){let n=E(
t);return n===void 0||n.consumerGate(e)}i(_d,"consumerGate");function Cd(t,e){return E(t)?.makeTool(e)}i(Cd,"makeTool");
var $d=0,Kr=1,Md=2;var gn=class{static{i(this,"Listeners")}listeners=new Set;reader=void 0;runtime;scratch;constructor(e,n){this.runtime=e,
this.scratch=n}get listening(){return this.reader!==void 0}subscribe(e,n){this.runtime.check();let r=this.runtime.call(s=>s.
factCount());this.listeners.size===0&&(this.reader=n(this.runtime,this.scratch,r),this.runtime.call(s=>s.listen(!0)));let o={
listener:pe(e),since:r};return this.listeners.add(o),()=>{this.listeners.delete(o),this.listeners.size===0&&!this.runtime.
isClosed&&(this.reader=void 0,this.runtime.journal===void 0&&this.runtime.call(s=>s.listen(!1)))}}facts(e,n){let{journal:r}=this.
runtime;if(r===void 0)this.hand(this.reader?.read(e,n));else{let o=r.take(this.scratch.copy(e,n));r.isSync||this.tell(o)}}tell(e){
this.hand(this.reader?.readKept(e))}hand(e=[]){for(let n of e)for(let{listener:r,since:o}of this.listeners)n.seq>o&&this.
runtime.tell(()=>r(n))}clear(){this.listeners.clear(),this.reader=void 0}};var Me={slot:0,generation:0,run:0},Br=4294967296;function ee(t){return t>>>0}i(ee,"slotOf");function ct(t){return Math.floor(
t/Br)}i(ct,"generationOf");function G(t){return{slot:ee(t),generation:ct(t)}}i(G,"keyOf");function Ne({slot:t,generation:e}){
return e*Br+t}i(Ne,"packed");function Ur(t,e,n){let r={},{runtime:o,slot:s,generation:a}=t;if(o.call(u=>u.knowsTools(s,a))){let u=t.snapshot().tools??
[];Cs(n?.tools,u)||(r.tools=[...u])}if(n?.maxTurns!==void 0||n?.maxCost!==void 0){let u=o.call(d=>d.runLimits(s,a));n.maxTurns!==
void 0&&u!==void 0&&u.maxTurns<n.maxTurns&&(r.maxTurns=u.maxTurns),n.maxCost!==void 0&&u!==void 0&&u.costUsd<n.maxCost&&
(r.maxCost=u.costUsd)}return Object.keys(r).length===0?e:_s(e,r)}i(Ur,"allowed");function _s(t,e){let n=Object.getOwnPropertyDescriptors(
t);for(let[r,o]of Object.entries(e))n[r]={value:o,enumerable:!0,writable:!0,configurable:!0};return Object.create(Object.
getPrototypeOf(t),n)}i(_s,"replaced");function Cs(t,e){return t?.length===e.length&&e.every((n,r)=>n===t[r])}i(Cs,"isSam\
e");var V=class t{static{i(this,"ActiveRun")}slot=0;generation=0;run=0;hostOpen=!1;settled=!1;abortedEarly=!1;text=void 0;#e=void 0;#n=void 0;hostTaskId=void 0;result=void 0;before=void 0;previousError=void 0;successor=void 0;returned=void 0;turn=void 0;unfollow=void 0;asking=void 0;agent=void 0;followers=void 0;named=void 0;starting=void 0;watch=void 0;#t=void 0;given;asked;isAllowed=!1;handed=void 0;controller=void 0;aborted=void 0;id=void 0;view=void 0;#r=void 0;runtime;constructor(e,n,r){
this.runtime=e,this.given=n,this.asked=r}get format(){return this.#n??=this.snapshot().format,this.#n}set format(e){this.#n=
e}get background(){return this.#e??=this.snapshot().background,this.#e}set background(e){this.#e=e}get check(){return this.#t??
this.runtime.sessionData.checkOf(this.slot,this.generation)}set check(e){this.#t=e}get taskId(){return this.id??=this.runtime.
lookup.taskId(this.slot,this.generation),this.id}get latest(){let e=this;for(;e.successor!==void 0;)e=e.successor;return e}again(e){
let n=new t(this.runtime,this.given);return n.slot=this.slot,n.generation=this.generation,n.run=this.run+1,n.text=this.text,
n.#e=this.#e,n.#n=this.#n,n.#t=this.#t,n.watch=this.watch,n.before=this.returned,n.previousError={reason:e,error:this.returned?.
error??null},[n.followers,this.followers]=[this.followers,void 0],[n.unfollow,this.unfollow]=[this.unfollow,void 0],this.
named?.resolve(),this.successor=n,n}follow(e){this.followers??=[],this.followers.push(e)}expectName(){let e=i(()=>{},"re\
solve"),n=new Promise(r=>{e=r});this.named={promise:n,resolve:e}}takeStart(){let{starting:e}=this;return e!==void 0&&(this.
starting=void 0),e}params(){if(this.given===void 0){let{tools:e,systemPrompt:n,maxTurns:r,background:o}=this.snapshot();
this.given={instructions:this.prompt(),maxTurns:r,background:o,...e&&{tools:e},...n&&{systemPrompt:n}}}else this.isAllowed||
(this.given=Ur(this,this.given,this.asked));return this.isAllowed=!0,this.given}handedRun(){return this.handed??=this.runtime.
makeRun(this),this.handed}prompt(){return this.text??this.runtime.call(e=>e.message(this.slot))}snapshot(){return this.view??=
this.runtime.lookup.snapshot(this.slot,this.generation),this.view}brief(){return this.#r??=this.runtime.lookup.brief(this.
slot,this.generation),this.#r}get signal(){return this.controller===void 0&&(this.controller=new AbortController,this.aborted!==
void 0&&this.controller.abort(this.abortError(this.aborted))),this.controller.signal}abort(e){this.aborted=e,this.controller?.
abort(this.abortError(e))}abortError(e){return new y("aborted",`the sub-agent was told to stop: ${e}`,{reason:e})}};var lt=class{static{i(this,"Followed")}#e;#n=new Set;constructor(e){this.#e=e}#t=i(()=>{let e=[...this.#n];for(let n of e)
this.leave(n);for(let n of e)n.deref()?.fire()},"#fire");join(e){this.#n.add(e),this.#n.size===1&&this.#e.addEventListener(
"abort",this.#t,{once:!0})}leave(e){!this.#n.delete(e)||this.#n.size>0||(bn.get(this.#e)===this&&bn.delete(this.#e),this.#e.
removeEventListener("abort",this.#t))}},bn=new WeakMap,ft;function $s(t){t()}i($s,"call");function Wr(t,e){let n=bn.get(
t);n===void 0&&(n=new lt(t),bn.set(t,n));let r=n;return r.join(e),()=>r.leave(e)}i(Wr,"join");function mt(t,e){let n={fire:e};
return Wr(t,{deref:i(()=>n,"deref")})}i(mt,"follow");var yn=class{static{i(this,"Signals")}#e=new Map;#n=new Map;follow(e,n){
let r={fire:n},o=Wr(e,Se(r)),s=i(()=>{this.#e.delete(s),ft?.unwatch(r),o()},"end");return this.#e.set(s,r),ft??=new ke($s),
ft.watch(r,o),s}keepIdle(e,n){let{runtime:r,slot:o,generation:s}=e,a=this.follow(n,()=>Jr(e));e.unfollow?.(),e.unfollow=
a,r.call(d=>d.tellForgotten()),this.#n.set(o,e);let u=r.call(d=>d.status(o,s));(u<0||X[u]==="closed")&&this.taskGone(o,s)}taskGone(e,n){
let r=this.#n.get(e);r?.generation===n&&(this.#n.delete(e),r.unfollow?.())}clear(){for(let e of[...this.#e.keys()])e();for(let e of this.#n.
values())e.unfollow?.();this.#n.clear()}};function Gr(t,e){let n=mt(e,()=>{t.slot===0?t.abortedEarly=!0:Jr(t)});t.unfollow=
()=>{t.unfollow=void 0,n()}}i(Gr,"followSignal");function Jr(t){let{runtime:e}=t;if(!e.isClosed)try{e.waits.cancel(Me,t.
slot,t.generation,"signal_aborted").catch(()=>{})}catch{}}i(Jr,"cancelLive");function Vr(t,e,n,r){t.check(),Hr(t,e,n);let o=Fs(n,r);if(t.seeded||Ks(t),t.functions.checkConsumerSpawn!==void 0){let g=pt(
t,o);if(g!==!0)throw new y("spawn_denied",g||"the host refused this spawn",{reason:g||null});t.check()}t.gates.beforeSpawn(
e,n,o),t.check(),Hr(t,e,n);let{staged:s,text:a}=n;a!==void 0&&!n.manual&&Ls(t,n.background);let u=new V(t,o,n.asked);if(u.
background=n.background,u.text=a,u.format=s?.json===!0?"json":"text",u.check=n.schema,n.watch!==void 0&&(u.watch=n.watch),
n.signal!==void 0&&(Gr(u,n.signal),u.abortedEarly))throw qr(n.signal);if(s!==void 0&&!t.call(g=>g.stage(s)))throw u.unfollow?.(),
t.refusal();let d=a===void 0?0:t.write(a),c=s?.idempotencyKey===void 0?0:64,f=(n.background?1:0)|(a===void 0?2:0)|(s===void 0?
0:4)|(n.manual?8:0)|n.answers|c,l=U(t),m;try{m=t.core.begin(b(),e.slot,e.generation,e.run,f,d,n.tokens,n.cost,n.turns)}catch(g){
throw t.poison(g)}finally{W(l)}if(m===-1)throw u.unfollow?.(),t.refusal();let p=m<0?Ns(t,u,n,G(-2-m)):Ms(t,u,n,m),k=t.contexts.
enter(m<0?0:u.slot);return t.carryOut(),t.contexts.leave(k),t.expectSound(),t.hosts.keepAwake(),p}i(Vr,"spawn");function Ms(t,e,{
text:n,manual:r,schema:o,signal:s},a){return e.slot=ee(a),e.generation=ct(a),o!==void 0&&t.sessionData.check(e.slot,e.generation,
o),t.contexts.keep(e.slot,e.generation),n===void 0?s!==void 0&&t.signals.keepIdle(e,s):r||(e.run=1,t.runs.keep(e)),e}i(Ms,
"admitted");function Ns(t,e,n,r){return e.unfollow?.(),n.repeated=!0,Ds(t,r)}i(Ns,"repeated");function Hr(t,{slot:e,generation:n,
run:r},{signal:o,background:s}){if(o?.aborted===!0)throw qr(o);r!==0&&t.ask(a=>a.mayStart(e,n,r,s))}i(Hr,"expectNotStopp\
ed");function qr(t){return new y("aborted","the signal of this spawn has fired already, so nothing was started",{},{cause:t.
reason})}i(qr,"firedAlready");function Fs({renamed:t,text:e},n){return t?O("the options of spawn",()=>({...n,instructions:e})):
n}i(Fs,"paramsOf");function Ls({functions:t},e){if(t.spawnSubAgent!==void 0||e&&t.spawnBackgroundSubAgent!==void 0)return;
let n="spawnSubAgent";throw new y("invalid_argument","the manager was made without `spawnSubAgent`, so nothing can run a\
 sub-agent",{argument:n})}i(Ls,"checkHost");function Ds(t,{slot:e,generation:n}){let r=t.runs.liveOf(e,n);if(r!==void 0)
return r;let o=new V(t,void 0);return o.slot=e,o.generation=n,o.run=t.call(s=>s.lastRun(e,n)),o}i(Ds,"lastRunOf");function pt(t,e){
let n=t.functions.checkConsumerSpawn;if(n===void 0)return!0;try{let r=n(e);if(typeof r!="object"||r===null)return`checkC\
onsumerSpawn must return { allowed }, it returned ${w(r)}`;let[o,s]=[$(r,"allowed"),$(r,"reason")];return o===!0?!0:o===
!1?typeof s=="string"&&s!==""?s:!1:typeof r.then=="function"?(r.then(void 0,()=>{}),"checkConsumerSpawn must answer at o\
nce, it returned a promise"):`checkConsumerSpawn must return { allowed: boolean }, allowed is ${w(o)}`}catch(r){return`c\
heckConsumerSpawn failed: ${x(r)}`}}i(pt,"consumerGate");function Ks(t){t.order(e=>e.seed(b())),t.seeded=!0}i(Ks,"seed");var Bs=0x7375626167656e74n,Us=32n,Xr=i(t=>BigInt.asUintN(64,t),"low64"),Yr=i((t,e)=>Xr(t<<e|t>>64n-e),"rotated");function zr(t,e,n){
let r=Xr(Yr(t,56n)+e)^n;return[r,Yr(e,3n)^r]}i(zr,"mix");function Qr([t=0n,e=0n],n,r){let[o,s]=[t,e],[a,u]=[Bs,BigInt(r)<<
32n|BigInt(n)];for(let d=0n;d<Us;d+=1n)[a,u]=zr(a,u,s),[o,s]=zr(o,s,d);return`sub_${[a,u].map(d=>d.toString(16).padStart(
16,"0")).join("")}`}i(Qr,"taskIdOf");var wn=class{static{i(this,"Lookup")}sessions=new Map;runtime;constructor(e){this.runtime=e}resolve(e,n){if(this.runtime.
check(),typeof n!="string")throw h("a target","an id or a handle",n);let r=this.runtime.write($n(n)?n.slice(0,160):""),{
slot:o,generation:s,run:a}=e,u=this.runtime.call(d=>d.find(o,s,a,r));if(u<0){let d=this.runtime.refusal();if(d.code==="a\
mbiguous_nickname")throw d;let c=new y(d.code,`${d.message}: ${w(n)}`,{...d.details,taskId:n});throw We(c,`${Ge(d)}: ${w(
n)}`)}return G(u)}nameOf(e,{nickname:n,taskId:r}){if(n===null)return r;let o=this.runtime.write(n),s=this.runtime.call(d=>d.
find(e.slot,e.generation,e.run,o));if(s<0)return r;let{slot:a,generation:u}=G(s);return this.taskId(a,u)===r?n:r}taskId(e,n){
let{idKey:r}=this.runtime;return r===void 0?this.runtime.call(o=>o.taskId(e,n)):Qr(r,e,n)}snapshot(e,n){let r=this.runtime.
call(o=>o.get(e,n,b()));if(r===void 0)throw this.runtime.refusal();return ht(r)}brief(e,n){let r=this.runtime.call(f=>f.
brief(e,n));if(r===void 0)throw this.runtime.refusal();let[o,s,a="",u,d=Zn,c]=r;return{depth:o,label:s,contextHint:a,systemPrompt:u,
profile:d,modelId:c}}openSession(e){this.runtime.check();let n=this.runtime.write(e),r=this.runtime.journal?.goesOn===!0?
this.runtime.call(a=>a.sessionNamed(n)):-1,o=r>=0?r:this.runtime.call(a=>a.openSession(b(),n));if(o<0)throw this.runtime.
refusal();this.runtime.carryOut();let s={...G(o),run:0};return this.sessions.set(s.slot,s.generation),s}eventId(e,n){return this.
sessions.get(e)===n?null:this.runtime.call(r=>r.eventId(e,n))??null}};function ht(t){let{artifacts:e,value:n,metadata:r}=t;
return{...t,artifacts:e===null?[]:JSON.parse(e),value:n===null?null:JSON.parse(n),metadata:tr(r)}}i(ht,"parseArtifacts");var Zr=64,kn=class{static{i(this,"RemoteRuns")}lives=new Map;named=new Map;early=new Map;ended=new Map;sweepAt=Zr;runtime;constructor(e){
this.runtime=e}start(e,n){this.sweep(),this.list(e);let r;try{r=n(e.params(),e.handedRun())}catch(s){throw this.unlist(e),
s}let o=new Promise(s=>s(r));if(!this.isListed(e)){o.catch(()=>{});return}this.runtime.act(s=>s.startedElsewhere(b(),e.slot,
e.generation,e.run)),e.expectName(),this.runtime.alone(o.then(s=>this.started(e,s),s=>this.end(e,Qe(x(s),s))))}started(e,n){
let r=Ws(n);if(typeof r!="string"||r===""){this.end(e,je(`spawnBackgroundSubAgent must resolve to { taskId }, it resolve\
d to ${w(n)}`));return}if(e.hostTaskId=r,this.isListed(e)&&this.named.set(r,(this.named.get(r)??new Set).add(e)),e.named?.
resolve(),this.runtime.isClosed)return;let o=this.runtime.write(r);this.runtime.act(a=>a.nameElsewhere(b(),e.slot,e.generation,
e.run,o));let s=this.early.get(r);this.early.delete(r),s!==void 0?this.end(e,fe(s)):this.refuseEarly()}refuseEarly(){if(this.
early.size===0||this.isUnnamed())return;let e=[...this.early.keys()];this.early.clear();for(let n of e)this.runtime.report(
this.unknown(n))}isUnnamed(){return[...this.lives.values()].some(({hostTaskId:e})=>e===void 0)}report(e,n){if(typeof e!=
"string"||e==="")throw h("the id","a task id or the host's own id",e);let r=this.livesOf(e);if(r.length>1)throw new y("i\
nvalid_argument",`several sub-agents go by the host id ${w(e)}: report by task id`,{id:e});let[o]=r;if(o!==void 0){this.
end(o,fe(n));return}let s=this.endedBy(e);if(s!==void 0){let a=Object.assign(new V(this.runtime,void 0),s);this.runtime.
hosts.settle(a,fe(n));return}if(!this.isUnnamed())throw this.unknown(e);this.early.set(e,n)}livesOf(e){let n=[...this.named.
get(e)??[]],r=this.lives.get(this.placeOf(e));return r===void 0||n.includes(r)?n:[...n,r]}endedBy(e){let n=this.ended.get(
e)??this.ended.get(this.placeOf(e));return n!==void 0&&this.isKept(n)?n:void 0}placeOf(e){let n=this.runtime.write(e.slice(
0,160)),r=this.runtime.call(a=>a.find(0,0,0,n));if(r<0)return r;let{slot:o,generation:s}=G(r);return this.runtime.lookup.
taskId(o,s)===e?r:-2}isKept({slot:e,generation:n}){return this.runtime.call(r=>r.lastRun(e,n))>0}unknown(e){if(this.placeOf(
e)===-1){let n=this.runtime.refusal();if(n.code==="forgotten")return n}return new y("unknown_task",`no background sub-ag\
ent goes by ${w(e)}`,{id:e})}list(e){let n=Ne(e),r=this.lives.get(n);r!==void 0&&this.unlist(r)&&this.keepEnded(r),this.
lives.set(n,e)}isListed(e){return this.lives.get(Ne(e))===e}unlist(e){if(!this.isListed(e))return!1;this.lives.delete(Ne(
e));let{hostTaskId:n}=e;if(n!==void 0){let r=this.named.get(n);r?.delete(e),r?.size===0&&this.named.delete(n)}return!0}keepEnded({
slot:e,generation:n,run:r,hostTaskId:o}){let s={slot:e,generation:n,run:r};this.ended.set(Ne(s),s),o!==void 0&&this.ended.
set(o,s)}clear(){this.lives.clear(),this.named.clear(),this.early.clear(),this.ended.clear()}sweep(){if(!(this.lives.size+
this.ended.size<this.sweepAt)){for(let e of this.lives.values())this.runtime.call(n=>n.hasRun(e.slot,e.generation,e.run))||
(this.unlist(e),this.keepEnded(e));for(let[e,n]of this.ended)this.isKept(n)||this.ended.delete(e);this.sweepAt=Math.max(
Zr,(this.lives.size+this.ended.size)*2)}}end(e,n){if(!this.unlist(e))return;this.keepEnded(e),this.refuseEarly();let{check:r}=e,
o={...n,hostTaskId:n.hostTaskId??e.hostTaskId};r===void 0?this.runtime.hosts.settle(e,o):this.runtime.hosts.settleChecked(
e,o,r)}};function Ws(t){try{return t?.taskId}catch{return}}i(Ws,"hostId");var Sn=class{static{i(this,"HostCalls")}elsewhere;openHosts=0;runtime;scratch;alarm;constructor(e,n,r){this.runtime=e,this.
scratch=n,this.alarm=r,this.elsewhere=new kn(e)}start(e){try{let{spawnSubAgent:n,spawnBackgroundSubAgent:r}=this.runtime.
functions;if(r!==void 0&&e.background){this.elsewhere.start(e,r);return}if(n===void 0)throw new Error("no spawnSubAgent \
was given to the manager");e.hostOpen=!0,this.openHosts+=1,this.alarm.hold(!0);let o=n(e.params(),e.handedRun());(Gs(o)?
o:new Promise(a=>a(o))).then(a=>this.hostReturned(e,a),a=>this.hostThrew(e,a))}catch(n){this.hostThrew(e,n)}}settle(e,n){
if(e.settled||(this.runtime.runs.returned(e),this.hostIsOver(e),this.runtime.isClosed))return;e.returned=n;let r=U(this.
runtime);try{let{output:o,error:s,status:a,id:u,artifacts:d,value:c}=this.scratch.writeEnd(this.bounded(n));this.runtime.
core.settle(b(),e.slot,e.generation,e.run,n.how,o,s,a,u,d,c,n.tokens,n.cost,n.turns,n.durationMs)}catch(o){this.runtime.
poison(o)}finally{W(r)}this.runtime.carryOut(),this.keepAwake()}settleManual(e,n,r){this.runtime.check();let{output:o,error:s,
artifacts:a}=this.runtime.call(()=>this.scratch.writeEnd(r));if(!this.runtime.call(d=>d.settle(b(),e,n,0,r.how,o,s,4294967295,
4294967295,a,4294967295,r.tokens,r.cost,r.turns,r.durationMs)))throw this.runtime.refusal();this.runtime.runs.manualEnded(
e,r),this.runtime.carryOut(),this.runtime.expectSound()}bounded(e){let{output:n}=e;return n.length<=C?e:{...e,output:n.slice(
0,Math.max(C,F(this.runtime,"maxResultBytes")+1))}}hostReturned(e,n){let r=fe(n),{check:o}=e;o===void 0||this.runtime.isClosed?
this.settle(e,r):this.settleChecked(e,r,o)}settleChecked(e,n,r){let o=Vt(n,r,F(this.runtime,"maxResultBytes"));o instanceof
Promise?this.runtime.alone(o.then(s=>this.settle(e,s))):this.settle(e,o)}hostThrew(e,n){xe(n);let r=x(n);this.settle(e,Qe(
r,n))}hostIsOver(e){e.settled=!0,this.release(e)}goOnWithout(e){e.hostOpen&&(this.release(e),this.keepAwake())}release(e){
e.hostOpen&&(e.hostOpen=!1,this.openHosts-=1)}keepAwake(){if(this.openHosts>0||this.runtime.isClosed)return;let e=this.runtime.
unasked(n=>n.hasQueued())===!0;this.runtime.isClosed||(this.runtime.keepAlive.hasQueued(e),this.alarm.hold(e||this.runtime.
waits.areOpen))}};function Gs(t){return t instanceof Promise&&t.constructor===Promise&&t.then===Promise.prototype.then}i(
Gs,"isPlainPromise");var An=class{static{i(this,"KeepAlive")}count=0;queued=!1;alarm;manager;constructor(e,n){this.alarm=e,this.manager=n}begin(){
this.count+=1,this.count===1&&this.keep()}end(){this.count-=1,this.count===0&&this.keep()}hasQueued(e){this.queued!==e&&
(this.queued=e,this.keep())}clear(){this.count=0,this.queued=!1,this.keep()}keep(){this.alarm.keeps=this.count>0||this.queued?
this.manager:void 0}};var xn=class{static{i(this,"Pins")}runtime;open=new Map;places=new WeakMap;constructor(e){this.runtime=e}pinAll(e){let n=F(
this.runtime,"retain")<e.length;return e.map(({slot:r,generation:o})=>this.pin(r,o,n))}pin(e,n,r){let o=this.runtime.call(
u=>u.lastRun(e,n)),s={slot:e,generation:n,run:o,taskId:this.runtime.lookup.taskId(e,n)};if(!this.runtime.call(u=>u.isOpen(
e,n,o)))return s.ended=this.read(s),s;r&&(s.begun=this.read(s));let a=this.open.get(e);return a===void 0?this.open.set(e,
[s]):a.push(s),s}hold(e){return this.open.has(e)}ended(e,n,r,o){let s=this.open.get(e);if(s!==void 0)for(let a of s)a.run===
r&&a.generation===n&&(a.ended=this.asEnded(a,o))}retried(e,n,r){for(let o of this.open.get(e)??[])o.run===r&&o.generation===
n&&(o.run+=1)}asEnded(e,n){let r=this.read(e);if(r?.run===e.run)return r;let o=e.begun??r;return o&&this.kept(e,{...o,...Hs(
e,n)})}unpin(e){for(let n of e){let r=this.open.get(n.slot)?.filter(o=>o!==n);r!==void 0&&(r.length===0?this.open.delete(
n.slot):this.open.set(n.slot,r))}}told(e,n,r){let o=this.read(e);if(n===Kr)return{told:n,view:r||o?.run===e.run?o??e.ended:
e.ended??o};let s=typeof n=="string"?n:null,a=o!==void 0&&(o.status==="running"||o.status==="pending")&&(r||o.run===e.run);
return o===void 0||a&&(s===null||o.question===s)?{told:n,view:o}:{told:n,view:this.kept(e,{...o,...Js,run:e.run,question:s})}}read(e){
let{slot:n,generation:r}=e,o=this.runtime.call(s=>s.get(n,r,b()));return o&&this.kept(e,ht(o))}kept(e,n){return this.places.
set(n,e),n}placeOf(e){return this.places.get(e)}},Js={status:"running",stopReason:null,output:"",error:null,endedAt:null,
durationMs:null,partial:!1,truncated:!1,artifacts:[]};function Hs({run:t,begun:e},n){let{status:r,stopReason:o,output:s,
partial:a,truncated:u,hostStillRunning:d,durationMs:c,usage:f}=n,{error:l=null,hostStatus:m=null,hostTaskId:p=null,artifacts:k,
value:g=null}=n,S={status:r,stopReason:o,output:s,partial:a,truncated:u,hostStillRunning:d,durationMs:c,usage:f,error:l,
hostStatus:m,hostTaskId:p},v=Math.floor(b()),A=n.started?e?.startedAt??v-c:null;return{run:t,...S,startedAt:A,endedAt:v,
updatedAt:v,parked:null,question:null,turns:f.turns,artifacts:[...k],value:g}}i(Hs,"endOf");function eo(t,{slot:e,generation:n},r,o){let{status:s,stopReason:a,output:u,error:d,hostStatus:c,figures:f}=o,l=t.writeAll(
[u,d??void 0,c??void 0]),[m,p,k]=l;return t.call(g=>g.resultText(e,n,r,X.indexOf(s),T.indexOf(a),f.turns??-1,f.costUsd??
-1,f.durationMs??-1,m,p,k))}i(eo,"endText");var Vs=Object.freeze([]),qs=Object.freeze([]);function no(t){if((t&7)===0)return Vs;let e=[];return(t&1)!==0&&e.push("to\
kens"),(t&2)!==0&&e.push("costUsd"),(t&4)!==0&&e.push("turns"),e}i(no,"dimensions");var ne=class t{static{i(this,"RunRes\
ult")}run;status;stopReason;output;partial;truncated;error;cause;hostStatus;hostTaskId;hostStillRunning;artifacts;value;usage;durationMs;started;raisedBy;#e;#n;constructor(e,n,r,o,s,a,u,d,c,f,l,m,p,k,g){
this.#e=e,this.#n=typeof e=="string"?void 0:e,this.run=typeof e=="string"?0:e.run,this.status=n,this.stopReason=r,this.output=
o,this.partial=l,this.truncated=m,this.error=s?.error,this.cause=s?.cause,this.hostStatus=s?.hostStatus,this.hostTaskId=
s?.hostTaskId??this.#n?.hostTaskId,this.hostStillRunning=p,this.artifacts=s?.artifacts??qs,this.value=s?.valueJson===void 0?
void 0:s.value,this.usage={tokens:a,costUsd:u/1e9,turns:d,unknown:no(c),invalid:no(c>>>8)},this.durationMs=f,this.started=
k,this.raisedBy=g}get taskId(){return typeof this.#e!="string"&&(this.#e=this.#e.taskId),this.#e}get success(){return this.
status==="completed"}get backgrounded(){return this.status==="running"||this.status==="pending"}get report(){let e=this.#r;
return Or(this,e.run===this.run?e.agent:void 0,e.runtime,e)}get text(){let e=this.#r;return e.format==="json"?be(this.report):
eo(e.runtime,e,this.run,this.#t)}get#t(){let{status:e,stopReason:n,output:r,error:o,hostStatus:s}=this;return{status:e,stopReason:n,
output:r,error:o,hostStatus:s,figures:this.figures}}get figures(){return fn(this.usage,this.started,this.durationMs)}get#r(){
return this.#n}toJSON(){let{cause:e,...n}=this;return{taskId:this.taskId,success:this.success,...n}}static movedToBackground(e){
let{runtime:n,slot:r,generation:o}=e;if(!n.call(a=>a.isOpen(r,o,e.run)))return;let s=n.lookup.snapshot(r,o);return s.background&&
!s.cancelRequested?t.of({...s,output:pn(s)},e):void 0}static of(e,n){let r={error:e.error??void 0,hostStatus:e.hostStatus??
void 0,hostTaskId:e.hostTaskId??void 0,artifacts:e.artifacts,value:e.value,valueJson:e.value===null?void 0:""},{runtime:o,
slot:s,generation:a}=n,u=o.call(f=>f.lastEnd(s)),d=o.call(f=>f.raisedBy(s,a))??null,c=new t(e.taskId,X[u%256],T[u>>>8],e.
output,r,e.usage.tokens,e.usage.costUsd*1e9,e.usage.turns,0,e.durationMs??0,e.partial,e.truncated,e.hostStillRunning,e.startedAt!==
null,d);return c.#n=n,Object.assign(c,{run:e.run,usage:e.usage})}};var Ys=["timeout","stopped"];function to(t,e,n){let{asking:r}=t;t.asking=void 0,r!==void 0&&r.resolve(e===0?{answered:!0,
answer:n}:{answered:!1,reason:Ys[e-1]??"stopped"})}i(to,"askDone");function gt(t,e,n){let r=t.call(a=>a.question(e,n)),o=t.
lookup.taskId(e,n),s=`the sub-agent ${o} asks and waits for a message`;return new y("needs_input",r===void 0?s:`${s}: '${_(
r,Ke)}'`,{taskId:o,question:r??null})}i(gt,"needsInput");var zs=1,yt=2,Xs=4,ro=8,Qs=16;function bt(t,e,n){return`${t} ${e} ${n}`}i(bt,"nameOf");var vn=class{static{i(this,"Runs")}lives=[];endedOpen=new Map;manualEnds=new Map;runtime;constructor(e){
this.runtime=e}keep(e){this.lives[e.slot]===void 0&&this.runtime.keepAlive.begin(),this.lives[e.slot]=e}startRun(e,n,r){
if(this.runtime.isClosed)return;let o=this.find(e,n,r)??this.newLive(e,n,r);if(this.lives[e]!==o&&!this.runtime.call(s=>s.
isOpen(e,n,r))){this.runtime.hosts.settle(o,me());return}this.keep(o),o.text??=this.runtime.call(s=>s.message(e)),this.runtime.
contexts.run(e,n,()=>this.start(o))}newLive(e,n,r){let o=new V(this.runtime,void 0);return o.slot=e,o.generation=n,o.run=
r,o}start(e){let{gates:n,hosts:r}=this.runtime;n.sub.has("before_start")?n.start(e,()=>r.start(e)):r.start(e)}find(e,n,r){
let o=this.lives[e];return o?.run===r&&o.generation===n?o:void 0}findOpen(e,n,r){return this.find(e,n,r)??this.endedOpen.
get(bt(e,n,r))}runEnded(e,n,r,o,s,a,u,d,c,f,l,m,p,k){let{pins:g,scratch:S}=this.runtime,v=k===0?null:S.read(p,k),A=this.
find(e,n,r);if(A?.hostOpen!==!0&&this.runtime.hosts.keepAwake(),A===void 0){if(!g.hold(e))return;let De=this.manualEnds.
get(e);this.manualEnds.delete(e);let ko=(a&ro)!==0?S.read(l,m):De?.output??"";g.ended(e,n,r,oo("",o,s,a,ko,De,u,d,c,f,v));
return}this.lives[e]=void 0,this.runtime.keepAlive.end(),(a&yt)!==0&&(this.endedOpen.set(bt(e,n,r),A),this.runtime.hosts.
goOnWithout(A)),A.unfollow?.(),A.agent?.stop(),!A.settled&&!A.hostOpen&&A.abort(T[s]??"never_reported");let q=(a&yt)===0?
A.returned??Zs(A.before):void 0,Pn=(a&ro)!==0?S.read(l,m):q?.output??"";T[s]==="policy"&&(q={...q??me(),...this.madeByPolicy(
A)}),A.result=oo(A,o,s,a,Pn,q,u,d,c,f,v),g.ended(e,n,r,A.result);for(let{resolve:De}of A.followers??[])De(A.result);A.named?.
resolve();let Le=A.turn;Le!==void 0&&(A.turn=void 0,Le.resolve({go:!1,reason:T[s]??"host_failed"}))}manualEnded(e,n){this.
runtime.pins.hold(e)&&this.manualEnds.set(e,n)}runRetried(e,n,r,o){let{pins:s,sessionData:a,hosts:u}=this.runtime;a.empty(
e,n),s.retried(e,n,r),u.keepAwake();let d=this.find(e,n,r);if(d===void 0)return;d.agent?.stop();let c=T[o]??"host_failed";
d.turn?.resolve({go:!1,reason:c}),d.turn=void 0,this.lives[e]=d.again(c)}madeByPolicy({slot:e,generation:n,agent:r}){if(this.
runtime.call(a=>a.status(e,n))<0){let a=r?.blockedBecause;return{error:a&&Gt(a,F(this.runtime,"maxResultBytes")),artifacts:void 0}}
let{error:o,artifacts:s}=this.runtime.lookup.snapshot(e,n);return{error:o??void 0,artifacts:s}}abortRun(e,n,r,o){let s=this.
findOpen(e,n,r);s!==void 0&&(s.agent?.stop(),this.runtime.contexts.run(e,n,()=>s.abort(T[o]??"cancelled")))}policiesDue(e,n,r,o){
let s=this.findOpen(e,n,r);if(s===void 0)return;let a=T[o];a==="timeout"||a==="idle_timeout"?this.runtime.contexts.run(e,
n,()=>this.runtime.gates.timedOut(s,a)):s.agent?.overdue()}askDone(e,n,r,o,s,a){let u=this.find(e,n,r);u!==void 0&&to(u,
o,this.runtime.scratch.read(s,a))}turnReady(e,n,r){let o=this.find(e,n,r);if(o===void 0)return;let s=o.takeStart();if(s!==
void 0){this.runtime.contexts.run(e,n,s);return}let{turn:a}=o;if(a===void 0)return;let u=this.beginTurn(o,a.estimate);u!==
void 0&&(o.turn=void 0,a.resolve(u))}liveOf(e,n){let r=this.lives[e];if(r!==void 0&&r.generation===n)return r;let o=this.
runtime.call(a=>a.lastRun(e,n));if(o===0||!this.runtime.call(a=>a.isOpen(e,n,o)))return;let s=this.newLive(e,n,o);return this.
keep(s),s}takeTurn(e,n){let r=this.beginTurn(e,n),o=r===void 0?new Promise((s,a)=>{e.turn={estimate:n,resolve:s,reject:a}}):
this.runtime.answer(r);return this.runtime.carryOut(),o}beginTurn(e,n){let r=this.runtime.call(c=>c.beginTurn(b(),e.slot,
e.generation,e.run,n));if(r===0)return;if(r===-1)return{go:!1,reason:"actor_ended"};if(r<0)return{go:!1,reason:T[-2-r]??
"cancelled"};let{turn:o,injects:s,wrapUp:a}=cn(r),u=s?{inject:this.runtime.call(c=>c.takeInject())}:void 0;if(a===void 0)
return{go:!0,turn:o,...u};let d=this.runtime.call(c=>c.heldTokens(e.slot));return{go:!0,turn:o,wrapUp:!0,reason:a,tokens:d,
...u}}returned({slot:e,generation:n,run:r}){this.endedOpen.size>0&&this.endedOpen.delete(bt(e,n,r))}batchOver(){this.endedOpen.
clear()}close(e){for(let n of this.lives)if(n!==void 0){n.turn?.reject(e),n.turn=void 0,n.asking?.reject(e),n.asking=void 0;
for(let{reject:r}of n.followers??[])r(e);n.named?.resolve(),n.unfollow?.(),n.agent?.stop(),n.abort(e.code==="disposed"?"\
cancelled":"host_lost")}this.lives.length=0,this.manualEnds.clear()}};function Zs(t){return t&&{...me(),error:t.error,cause:t.
cause}}i(Zs,"errorOf");function oo(t,e,n,r,o,s,a,u,d,c,f){return new ne(t,X[e]??"failed",T[n]??"host_failed",o,s,a,u,d,r>>>
8,c,(r&zs)!==0,(r&Xs)!==0,(r&yt)!==0,(r&Qs)===0,f)}i(oo,"resultOf");var On=class{static{i(this,"SessionData")}kept=new Map;runtime;constructor(e){this.runtime=e}of(e,n){return this.keptOf(
e,n).values}empty(e,n){let r=this.kept.get(e);r?.generation===n&&r.values.clear()}check(e,n,r){this.keptOf(e,n).check=r}checkOf(e,n){
let r=this.kept.get(e);return r?.generation===n?r.check:void 0}keptOf(e,n){let r=this.kept.get(e);if(r?.generation===n)return r;
if(this.runtime.call(s=>s.status(e,n))<0)throw new y("forgotten","this sub-agent has been forgotten");this.runtime.call(
s=>s.tellForgotten());let o={generation:n,values:new Map};return this.kept.set(e,o),o}taskForgotten(e,n){this.kept.get(e)?.
generation===n&&this.kept.delete(e)}clear(){this.kept.clear()}};function so(t){let e=t.call(r=>r.claimed()),n=[];for(let r=0;r<e.length;r+=3){let[o,s,a]=e.subarray(r,r+3),u=t.call(d=>d.
deliveryId(o,s,a));n.push({deliveryId:u,taskId:t.lookup.taskId(o,s),run:a})}return n}i(so,"claimedEnds");var io=-2,ei=-3,ao=-4,ni="only the waiting was aborted: what was to be stopped is being stopped all the same",Tn=class{static{
i(this,"Waits")}open=[];crowded=new Map;count=0;untilClosed=new Set;runtime;constructor(e){this.runtime=e}get areOpen(){
return this.count>0||this.untilClosed.size>0}waitFor(e,n,r,o){this.runtime.check();let{slot:s,generation:a}=n,u=this.runtime.
runs.liveOf(s,a),c=r===Number.POSITIVE_INFINITY&&e.run===0&&!this.runtime.listeners.listening?0:b(),f=U(this.runtime),l;
try{l=this.runtime.core.wait(c,e.slot,e.generation,e.run,s,a,r)}catch(p){throw this.runtime.poison(p)}finally{W(f)}if(l===
-1)throw this.runtime.refusal();let m=l<0?this.answered(l,n):this.waiting(l,u,e,o);return this.runtime.carryOut(),m}answered(e,n){
return e===ao?this.runtime.answer(void 0):e===ei?Promise.reject(gt(this.runtime,n.slot,n.generation)):this.runtime.answer(
this.pastResult(n))}waiting(e,n,r,o){return new Promise((s,a)=>{this.keep({wait:e,live:n,actor:r,resolve:s,reject:a},o),
this.runtime.hosts.keepAwake()})}pastResult({slot:e,generation:n,latest:r}){let o=this.runtime.call(s=>s.lastRun(e,n));return r.
result!==void 0&&(o===0||r.run===o)?r.result:ne.of(this.runtime.lookup.snapshot(e,n),r)}waitMany(e,n,{all:r,idle:o,timeoutMs:s},a,u){
let d=new Uint32Array(n.flatMap(m=>[m.slot,m.generation])),c=(r?1:0)+(o?2:0),f=this.runtime.call(m=>m.waitMany(b(),e.slot,
e.generation,e.run,d,c,s));if(f===-1)throw this.runtime.refusal();if(f>=0)return this.opened(f,u,void 0,a);let l=a(f===ao,
this.runtime.call(m=>m.told())??[]);return this.runtime.carryOut(),this.runtime.answer(l)}cancel(e,n,r,o,s=Number.NaN,a){
return this.settled(u=>u.cancel(b(),e.slot,e.generation,e.run,n,r,T.indexOf(o),s),a)}settled(e,n){let r=this.runtime.call(
e);if(r===-1)throw this.runtime.refusal();let o={acked:so(this.runtime)},s=this.opened(r,n,ni);return r===io?this.runtime.
answer(o):s.then(()=>o)}opened(e,n,r,o){let s=e===io?this.runtime.answer(void 0):new Promise((a,u)=>{this.keep({wait:e,live:void 0,
read:o,resolve:a,reject:u},n,r),this.runtime.hosts.keepAwake()});return this.runtime.carryOut(),s}drain(e){this.runtime.
act(r=>r.startDrain(b(),e));let n=this.runtime.call(r=>r.drain(b(),e));return this.runtime.keepAlive.begin(),new Promise(
(r,o)=>{this.untilClosed.add(o),this.runtime.hosts.keepAwake(),n.then(s=>{this.untilClosed.delete(o)&&this.runtime.keepAlive.
end(),this.runtime.hosts.keepAwake(),r(s)},s=>o(this.runtime.poison(s)))})}keep(e,n,r="the wait was aborted; that touche\
s no sub-agent"){let{wait:o}=e,s=ee(o);this.open[s]===void 0?this.open[s]=e:this.crowded.set(o,e),this.runtime.keepAlive.
begin(),this.count+=1,n!==void 0&&this.follow(e,n,r)}take(e){let n=ee(e),r=this.open[n];if(r?.wait===e)return this.open[n]=
void 0,r;if(this.crowded.size===0)return;let o=this.crowded.get(e);return this.crowded.delete(e),o}done(e,n,r){let o=this.
take(e);if(o===void 0)return;this.runtime.keepAlive.end(),this.count-=1,this.runtime.hosts.keepAwake();let{resolve:s,unfollow:a}=o,
u=o.live?.latest;a?.();try{u===void 0?s(o.read===void 0?n:o.read(n,r??[])):u.result===void 0&&!n?this.endWithout(o,u):s(
n?void 0:u.result)}catch(d){o.reject(d)}}endWithout({actor:e,resolve:n,reject:r},o){let{slot:s,generation:a}=o,{runtime:u}=this;
if(u.call(c=>c.question(s,a))!==void 0){r(gt(u,s,a));return}let d=ne.movedToBackground(o);d!==void 0?n(d):e!==void 0&&this.
waitFor(e,o,Number.POSITIVE_INFINITY).then(n,r)}rejectAll(e){for(let n of[...this.open,...this.crowded.values()])n!==void 0&&
(n.unfollow?.(),n.reject(e));this.open.length=0,this.crowded.clear(),this.count=0;for(let n of this.untilClosed)n(e);this.
untilClosed.clear()}follow(e,n,r){let{wait:o}=e,s=ee(o),a=i(()=>{this.open[s]!==e&&this.crowded.get(o)!==e||(delete e.actor,
e.reject(new y("aborted",r,{},{cause:n.reason})),this.runtime.unasked(u=>u.endWait(b(),s,o)),this.runtime.carryOut())},"\
fire");if(n.aborted){a();return}e.unfollow=mt(n,a)}};var Rn=class{static{i(this,"Wakes")}#e;#n=new Map;#t=new Set;#r=new Set;constructor(e){this.#e=e}register(e,n,r){r===void 0?
this.#n.delete(e):this.#n.set(e,{scope:n,onWake:pe(r)})}mark(e){this.#n.has(e)&&(this.#t.size===0&&queueMicrotask(()=>this.#o()),
this.#t.add(e),!this.#r.has(e)&&(this.#r.add(e),this.#e.keepAlive.begin()))}review(){for(let e of this.#r)this.#n.has(e)&&
this.#e.unasked(n=>n.noticesWait(e))===!0||this.#r.delete(e)&&this.#e.keepAlive.end()}clear(){this.#n.clear(),this.#r.clear()}#o(){
let e=this.#t;this.#t=new Set;for(let n of e){let r=this.#n.get(n),o=this.#e.unasked(s=>s.pendingNotices(n));r===void 0||
o===void 0||o===0||(this.#e.tell(()=>r.onWake(r.scope,{pending:o})),this.#e.unasked(s=>s.woken(b(),n)),this.#e.carryOut())}
this.review()}};function uo(t){return t===void 0?"Send it a message to answer.":`${t} answers it.`}i(uo,"howToAnswer");function co(t){return(typeof t=="string"?t.trim()===""?void 0:JSON.parse(t):t)??{}}i(co,"parsed");function fo(t){let e=ii({...t.schema},s=>t.check(s)),{name:n,label:r,description:o}=t;return{name:n,label:r,description:o,
parameters:e,inputSchema:e,execute(...s){return s.length>1&&ti(s[0])?ri(t,s):oi(t,s)}}}i(fo,"toolObject");function ti(t){
return typeof t=="string"&&!/^\s*[{["]/.test(t)}i(ti,"isCallId");async function ri(t,e){let[n,r,o,s]=e,a=typeof s!="func\
tion"?void 0:c=>{let f=c(),l={content:[{type:"text",text:f.text}],details:t.detailsOf(f)};return s(l)},{text:u,details:d}=await t.
call(r,{signal:lo(o),toolCallId:n,progress:a});return{content:[{type:"text",text:u}],details:d}}i(ri,"calledByPi");function oi(t,e){
let n=new wt,r=(async()=>{let[o,s]=e,{signal:a,abortSignal:u,toolCallId:d,onUpdate:c,writer:f,outputWriter:l}=O("the opt\
ions of the call",()=>{let g=i(q=>$(Object(s),q),"given"),[S,v,A]=[g("signal"),g("abortSignal"),g("toolCallId")];return{
signal:S,abortSignal:v,toolCallId:A,onUpdate:g("onUpdate"),writer:g("writer"),outputWriter:g("outputWriter")}}),m=typeof c==
"function"?c:si(f,l,d),p=i(g=>(n.push(g),m?.(g())),"progress"),k={signal:lo(a??u),toolCallId:typeof d=="string"?d:void 0,
progress:p};return(await t.call(o,k)).text})();return Object.defineProperty(r,Symbol.asyncIterator,{value:i(()=>n.until(
r),"value")})}i(oi,"called");function lo(t){return Ve("`signal`",t??void 0)}i(lo,"signalFrom");function si(t,e,n){if(typeof t==
"function")return r=>t({type:"subagent-progress",toolCallId:n,...r});if(typeof e=="function")return r=>{Promise.resolve(
e({type:"data-subagent-progress",data:{toolCallId:n,...r}})).catch(()=>{})}}i(si,"sinkOf");var wt=class{static{i(this,"U\
pdates")}newest=void 0;count=0;waiting=[];push(e){this.newest=e,this.count+=1,this.wake()}wake(){for(let e of this.waiting.
splice(0))e()}async*until(e){let n=!1,r=0,o=i(()=>{n=!0,this.wake()},"end");for(e.then(o,o);;)if(this.newest!==void 0&&this.
count>r)r=this.count,yield this.newest().text;else{if(n)break;await new Promise(s=>{this.waiting.push(s)})}yield await e}};
function ii(t,e){let n=i(()=>structuredClone(t),"plain");return Object.defineProperty(t,"~standard",{enumerable:!1,value:{
version:1,vendor:"subagents",validate(r){let o=e(r);return"params"in o?{value:co(r)}:{issues:o.mistakes.map(s=>({message:s}))}},
jsonSchema:{input:n,output:n}}})}i(ii,"withStandard");function mo(t){let e=0,n="";return(r,o)=>{e=o.turn??e,n=o.message??n;let s={turn:e,message:n};r.runtime.tell(()=>{let{taskId:a}=r,
{label:u}=r.brief();return t(()=>ai({taskId:a,label:u,...s}))})}}i(mo,"watcher");function ai(t){let{label:e,turn:n,message:r}=t,
o=n===0?"has started":`is at turn ${n}`,s=`[${_(e,Q)}] ${o}${r===""?"":`: ${_(r,Ke)}`}`;return{...t,text:s}}i(ai,"progre\
ssOf");function Fe(t,e,n,r){if(n===void 0)return r.text;try{let o=n(r);if(typeof o=="string"&&o!=="")return o;t.report(h(`what \
\`texts.${e}\` returns`,"a text that is not empty",o))}catch(o){t.report(o)}return r.text}i(Fe,"said");function po(t,e=[]){try{return ui(typeof t=="string"?JSON.parse(t):t,e)}catch(n){return{mistakes:[`the arguments can't b\
e read: ${_(x(n),Be)}`]}}}i(po,"checkArguments");function ui(t,e){if(typeof t!="object"||t===null||Array.isArray(t))return{
mistakes:[`the arguments must be an object with \`instructions\`, got ${w(t)}`]};let n=[],r=i(p=>$(t,p),"given"),[o,s]=[
r("instructions"),r("systemPrompt")],[a,u,d]=[r("maxTurns"),r("maxCost"),r("background")],c=e.length>0?r("agent"):void 0,
f=di(r("tools")),l=i((p,k,g)=>{n.push(`\`${p}\` must be ${k}, got ${w(g)}`)},"wrong");if((typeof o!="string"||o.trim()===
"")&&l("instructions","a text that says the whole task",o),!te(f)&&!(Array.isArray(f)&&f.every(p=>typeof p=="string"))&&
l("tools","a list of tool names",f),!te(s)&&typeof s!="string"&&l("systemPrompt","a text",s),!te(a)&&!(Number.isInteger(
a)&&a>=1)&&l("maxTurns","a whole number of at least 1",a),!te(u)&&!(typeof u=="number"&&u>0&&u<Number.POSITIVE_INFINITY)&&
l("maxCost","a number of US dollars above 0",u),!te(d)&&typeof d!="boolean"&&l("background","true or false",d),!te(c)&&!(typeof c==
"string"&&e.includes(c))&&l("agent",`one of ${e.join(", ")}`,c),n.length>0)return{mistakes:n};let m=Object.entries({instructions:o,
tools:f,systemPrompt:s,maxTurns:a,maxCost:u,background:d,agent:c}).filter(([,p])=>!te(p));return{params:t,checked:Object.
fromEntries(m)}}i(ui,"check");function di(t){return Array.isArray(t)?Dt("`tools`",t):t}i(di,"listOf");function te(t){return t==
null}i(te,"absent");function kt(t,{taskId:e,hostTaskId:n}){if(n===null)return e;let r=t.write(e),o=t.call(u=>u.find(0,0,0,r));if(o<0)return e;
let{slot:s,generation:a}=G(o);return t.call(u=>u.toldId(s,a))}i(kt,"idTold");function bo(t,e){return ci(t,Me,{},e)}i(bo,"makeTool");function ci(t,e,n,r,o=!1){let{names:s,descriptions:a}=t.agents,u=fi(
r.parameters,s),d=s.length===0?r.description:`${r.description}

What \`agent\` may name:
${a}`,c=i(f=>po(f,s),"check");return li(new St(t,e,n,{},o),{name:r.name,description:d,schema:u,check:c})}i(ci,"assemble");
function fi(t,e){if(e.length===0)return{...t};let n={type:"string",enum:e,description:"The kind of sub-agent to use. Lea\
ve it out for a general one."};return{...t,properties:{...t.properties,agent:n}}}i(fi,"withAgents");function li(t,e,n){let{
name:r,description:o,schema:s,check:a}=e;return fo({name:r,label:"Sub-agent",description:o,schema:s,check:i(u=>a(u),"che\
ck"),async call(u,d){let c=a(u);return await n?.(c,d)??t.run(c,d)},detailsOf:i(({taskId:u,turn:d})=>({taskId:u,background:!1,
status:"running",durationMs:null,turns:d,cost:null}),"detailsOf")})}i(li,"spawnTool");var St=class{static{i(this,"SpawnC\
all")}runtime;actor;options;others;isAlone;constructor(e,n,r,o={},s=!1){this.isAlone=s,this.runtime=e,this.actor=n,this.
options=r,this.others=o}async run(e,n){this.runtime.check();let r=await this.answer(e,n),{onDetails:o}=this.options;return o!==
void 0&&this.runtime.tell(()=>o(r.details,n.toolCallId)),r}async answer(e,n){let{signal:r,toolCallId:o,progress:s}=n;if("\
mistakes"in e)return this.refused(`${e.mistakes.join("; ")}. Correct the arguments and call again.`);let a=this.hostLimit();
if(a!==void 0)return this.refused(a.why,void 0,a.full);if(r?.aborted===!0)return this.refused("the call was aborted befo\
re it began.");let{params:u,checked:d}=e,c,f,{backgroundTimeoutMs:l}=this.options,[m,p,k]=[this.keyOf(o,u),this.originOf(),
this.metadataOf(o,u)];try{let S=D("what `idempotencyKey` returns",m),v={...d,...S!==void 0&&{idempotencyKey:S},...p!==void 0&&
{origin:p},...k!==void 0&&{metadata:k}};f=Ie(v,this.runtime,!0),f.background&&l!==void 0&&(f=Ie({...v,timeoutMs:l},this.
runtime,!0)),f.signal=r,f.answers=this.answers,this.options.format==="json"&&(an(f).json=!0),s!==void 0&&!f.background&&
(f.watch=mo(s)),c=Vr(this.runtime,this.actor,f,u)}catch(S){if(Ae(S))return typeof S.details.report=="string"?this.reported(
S.details.report):this.refused(`${pi(Ge(S))}${yi(S.code)}`,S);throw S}let g=f.staged?.modelId??this.modelOf(c);try{return f.
repeated===!0?await this.repeated(c,f.background,r):f.background?(await(c.named&&vt(c.named.promise,F(this.runtime,"grac\
eMs"))),this.runtime.check(),mi(r)||this.isAlone&&c.result?.success===!1?await this.outcome(c,g):this.movedOn(c,g)):await this.
outcome(c,g)}catch(S){if(Ae(S)&&c.result!==void 0)return this.ended(c,c.result,g);throw S}}async outcome(e,n){try{let r=await this.
runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY);return r.backgrounded?this.movedOn(e,n):this.ended(e,r,n)}catch(r){
if(Ae(r)&&r.code==="needs_input")return this.asks(e,n);throw r}}keyOf(e,n){let{idempotencyKey:r}=this.options;return r===
void 0?void 0:r(e,n)}metadataOf(e,n){let{metadata:r}=this.options;return typeof r=="function"?r(e,n):r}originOf(){let{origin:e}=this.
options;return typeof e=="function"?e():e}async repeated(e,n,r){let o=this.runtime.lookup.snapshot(e.slot,e.generation),
s=o.modelId??void 0;if(n){let{taskId:a,status:u,label:d}=o,c={...go(o),taskId:a,background:!0,status:u,durationMs:null,turns:null,
cost:null},f=`Subagent [${_(d,Q)}] was started before (id: ${kt(this.runtime,o)}); it is ${u}.`;return{text:this.told(f,
a,u),details:this.withModel(c,s)}}try{let a=await this.runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY,r);return a.
backgrounded?this.started(e,s):this.ended(e,a,s)}catch(a){if(Ae(a)&&a.code==="needs_input")return this.asks(e,s);if(!(Ae(
a)&&a.code==="aborted"))throw a;let u=ho(o),d={...go(o),taskId:o.taskId,background:!1,status:u,durationMs:null,turns:null,
cost:null},c=`The call was aborted; sub-agent ${kt(this.runtime,o)}, which was started before, goes on.`;return{text:this.
told(c,o.taskId,u),details:this.withModel(d,s)}}}get answers(){let{canAnswer:e}=this.options;return e===void 0?16:e?0:32}async asks(e,n){
let{slot:r,generation:o,taskId:s}=e,{actor:a}=this,u=this.runtime.call(p=>p.questionText(r,o));if(!this.runtime.act(p=>p.
moveToBackground(b(),a.slot,a.generation,a.run,r,o)))return this.outcome(e,n);this.letGoOfCall(e);let f=`${u===void 0?`S\
ubagent [${_(e.brief().label,Q)}] (id: ${this.runtime.call(p=>p.toldId(r,o))}) asked, and has been answered meanwhile.`:
`${u}
${uo(this.others.answer)}`} It goes on in the background; I'll notify you when it completes.`,l=this.isJson?be({...ln(s,
"running",null),output:f}):f,m={taskId:s,background:!0,status:"running",durationMs:null,turns:null,cost:null};return{text:l,
details:this.withModel(m,n)}}movedOn(e,n){return this.letGoOfCall(e),this.started(e,n)}letGoOfCall(e){e.unfollow?.(),e.unfollow=
void 0}hostLimit(){let{canSpawn:e,getConcurrencyInfo:n}=this.runtime.functions;if(e!==void 0)try{if(e()===!0)return;let r=n?.();
return{why:`${r===void 0?"the limit of sub-agents is reached":`${r.active} of ${r.limit} sub-agents are running`}. Wait \
until one ends, or do the work yourself.`,full:{active:r?.active,limit:r?.limit}}}catch(r){return{why:`the host could no\
t say whether a sub-agent may start: ${_(x(r),Be)}.`}}}refused(e,n,r=gi(n)){let o=`No sub-agent was started: ${e}`,{texts:s}=this,
a=r===void 0?Fe(this.runtime,"refused",s?.refused,{reason:e,text:o}):Fe(this.runtime,"limitReached",s?.limitReached,{...r,
text:o}),u=this.detailsOfNone(n),{taskId:d,status:c}=u;return{text:this.told(a,d||null,c,a),details:u}}detailsOfNone(e){
let n=e?.code==="idempotency_forgotten",r=n?e.details.taskId:"",o=n?"forgotten":"refused";return this.withModel({taskId:r,
background:!1,status:o,durationMs:null,turns:null,cost:null})}get texts(){return this.isJson?void 0:this.options.texts}get isJson(){
return this.options.format==="json"}told(e,n,r,o=null){return this.isJson?be(ln(n,r,o)):e}reported(e){let n=this.detailsOfNone();
return{text:this.isJson&&nt(e)===void 0?be({...ln(null,"refused",null),output:e}):e,details:n}}started(e,n){let{taskId:r,
hostTaskId:o,slot:s,generation:a}=e,{collect:u}=this.others,d=this.runtime.call(S=>S.toldId(s,a)),c=e.snapshot(),{label:f}=c,
l=ho(c),m=`${pn({label:f,taskId:d})}${u===void 0?"":` ${u} gets its result.`}`,p=Fe(this.runtime,"started",this.texts?.started,
{id:d,taskId:r,hostTaskId:o,label:f,text:m}),k=this.told(p,r,l),g={taskId:r,background:!0,status:l,durationMs:null,turns:null,
cost:null};return o!==void 0&&(g.hostTaskId=o),{text:k,details:this.withModel(g,n)}}ended(e,n,r){let{status:o,hostStatus:s}=n,
{turns:a,costUsd:u,durationMs:d}=n.figures,{rest:c}=this.others,l=c!==void 0&&!this.isJson&&this.runtime.write(n.output)>
F(this.runtime,"inlineBytes")?`${n.text}
${c} shows what was left out.`:n.text,m={taskId:e.taskId,background:e.background,status:o,durationMs:d,turns:a,cost:u};n.
hostTaskId!==void 0&&(m.hostTaskId=n.hostTaskId),s!==void 0&&(m.hostStatus=s),n.artifacts.length>0&&(m.artifacts=n.artifacts);
let p=o==="completed"?"completed":"failed",k=this.texts?.[p];return{text:k===void 0?l:Fe(this.runtime,p,k,this.factsOf(e,
n,m,l)),details:this.withModel(m,r)}}modelOf({slot:e,generation:n}){return this.runtime.isClosed?void 0:this.runtime.call(
r=>r.modelId(e,n))}factsOf(e,n,{turns:r,cost:o,durationMs:s},a){let{taskId:u,slot:d,generation:c}=e,{hostTaskId:f,status:l,
stopReason:m,output:p}=n,k=this.runtime.call(A=>A.toldId(d,c)),g=hi(e),S=a.indexOf(`
`),v=S<0?"":a.slice(S+1);return{id:k,taskId:u,hostTaskId:f,label:g,status:l,stopReason:m,turns:r,cost:o,durationMs:s,output:p,
fenced:v,text:a}}withModel(e,n){try{let r=n??this.runtime.functions.getModelId?.();return typeof r=="string"?{...e,modelId:r}:
e}catch{return e}}};function mi(t){return t?.aborted===!0}i(mi,"hasFired");function ho({status:t}){return t==="pending"?
"pending":"running"}i(ho,"underWay");function Ae(t){return Nn(t)&&t.code!=="disposed"&&t.code!=="internal"}i(Ae,"isRefus\
al");function pi(t){return/[.!?…]$/u.test(t)?t:`${t}.`}i(pi,"sentence");function hi(t){try{return t.brief().label}catch(e){
if(Ae(e))return"";throw e}}i(hi,"labelOf");function gi(t){if(t===void 0||!bi.has(t.code))return;let{active:e,limit:n}=t.
details;return{active:e,limit:n}}i(gi,"fullBy");var bi=new Set(["concurrency_limit","queue_full","children_limit","tasks\
_limit","abandoned_limit"]);function yi(t){return["concurrency_limit","queue_full","children_limit"].includes(t)?" Wait \
until one ends, or do the work yourself.":["budget_exhausted","depth_limit","draining","abandoned_limit","tasks_limit"].
includes(t)?" Do the work yourself.":""}i(yi,"adviceOn");function go({hostTaskId:t}){return t===null?{}:{hostTaskId:t}}i(
go,"hostIdOf");var jn=class{static{i(this,"Runtime")}host;door;core;functions;agents=new he(void 0);profiles=new ge(void 0);gates;journal=void 0;seeded=!1;idKey=void 0;scratch;runs=new vn(
this);hosts;waits=new Tn(this);lookup=new wn(this);listeners;sessionData=new On(this);contexts=new en;pins=new xn(this);wakes=new Rn(
this);signals=new yn;keepAlive;alarm;runMaker;closed;constructor(e,n,r){this.functions=n,this.runMaker=r,this.door=new hn(
this),this.alarm=new re(wi(Se(this.door))),this.keepAlive=new An(this.alarm,this),this.host=Fr(this,this.door,this.alarm),
this.core=new e.SubAgentCore(this.host),e.onFailure=o=>this.poison(o),this.scratch=new Je(this.core,e.memory),this.hosts=
new Sn(this,this.scratch,this.alarm),this.listeners=new gn(this,this.scratch),this.gates=new we(this,{},{})}check(){if(this.
closed!==void 0)throw this.closed}get isClosed(){return this.closed!==void 0}get isDisposed(){return this.closed?.code===
"disposed"}call(e){this.check();let n=U(this);try{return e(this.core)}catch(r){throw this.poison(r)}finally{W(n)}}carryOut(){
if(this.closed!==void 0)return;if(this.journal?.isSync===!0){this.journal.carryOut();return}let e=U(this);try{this.core.
carryOut()}catch(n){this.poison(n)}finally{W(e)}}act(e){let n=this.call(e);return this.carryOut(),this.expectSound(),n}order(e){
if(!this.call(e))throw this.refusal();this.carryOut(),this.expectSound()}expectSound(){if(this.closed!==void 0&&!this.isDisposed)
throw this.closed}unasked(e){if(this.closed!==void 0)return;let n=U(this);try{return e(this.core)}catch(r){this.poison(r);
return}finally{W(n)}}alone(e){e.catch(n=>{n!==this.closed&&this.report(n)})}refusal(){let{code:e,message:n,told:r,details:o}=this.
call(s=>s.refusal());return this.carryOut(),We(new y(e,n,o),r)}ask(e){if(!this.call(e))throw this.refusal()}together(e){
if(this.journal?.isSync===!0)return this.journal.together(e);let n=this.call(r=>r.hold());try{return e()}finally{n&&this.
call(r=>r.goOn())}}answer(e){return this.journal===void 0?Promise.resolve(e):this.journal.answer(e)}write(e){try{return this.
scratch.write(e)}catch(n){throw this.poison(n)}}writeAll(e){try{return this.scratch.writeAll(e)}catch(n){throw this.poison(
n)}}wakeAt(e){this.isClosed||(this.alarm.set(e),this.hosts.keepAwake())}tick(){this.unasked(e=>e.tick(b())),this.carryOut(),
this.wakes.review(),this.hosts.keepAwake(),this.runs.batchOver()}makeRun(e){return this.runMaker(this,e)}consumerGate(e){
return pt(this,e)}makeTool(e){return bo(this,e)}startsStopped(e){if(this.functions.onError===void 0)return;let n=`${e} a\
bandoned host functions are still running, so nothing starts until one returns; \`maxAbandoned\` raises it`;this.report(
new y("abandoned_limit",n,{limit:e,option:"maxAbandoned"}))}report(e){xe(e);let{onError:n}=this.functions;n===void 0?it(
e):at(()=>n(e),it)}tell(e){at(e,n=>this.report(n))}dispose(){this.end(new y("disposed","the manager has been disposed"))}fail(e){
this.end(e),this.report(e)}end(e){if(this.closed===void 0){this.journal!==void 0&&this.unasked(n=>n.setAside()),this.close(
e),dt(this);try{this.idKey=this.core.idKey(),this.core.dispose()}catch{}this.letGo()}}letGo(){if(Dr()){queueMicrotask(()=>this.
letGo());return}this.scratch.letGo(),this.core=void 0}poison(e){if(this.closed===void 0){let n=new y("internal",`the man\
ager's core failed: ${x(e)}`);this.close(n),dt(this),this.core.__destroy_into_raw(),this.letGo()}return this.closed}close(e){
this.closed=e,this.journal?.close(e),this.alarm.stop(),this.keepAlive.clear(),this.runs.close(e),this.gates.close(),this.
waits.rejectAll(e),this.listeners.clear(),this.sessionData.clear(),this.contexts.clear(),this.hosts.elsewhere.clear(),this.
wakes.clear(),this.signals.clear()}};function wi(t){return()=>t.deref()?.runtime?.tick()}i(wi,"tickThrough");var yo=["spawnSubAgent","spawnBackgroundSubAgent","checkConsumerSpawn","canSpawn","getConcurrencyInfo","getModelId","onE\
rror","countTokens","onWake"],ki=["agents","bus","mainLimits","modelId","policies","preset","profiles","retry","tools"];
function wo(t,e,n,r){let{functions:o,bounds:s,settings:a,tools:u,agents:d,profiles:c,policies:f,mainLimits:l,bus:m}=O("t\
he options of a manager",()=>Si(e)),p=new jn(t,o,n);p.agents=d,p.profiles=c,m!==void 0&&(p.functions.onWake=$r(m,k=>{p.isClosed||
p.report(k)}));try{r?.begin(p),s.apply(p,a),p.gates=new we(p,f,l),p.contexts.matter&&p.call(g=>g.tellForgotten());let{blockedTools:k}=p.
gates.sub;k.length>0&&p.order(g=>g.blockTools(b(),[...k])),u!==void 0&&p.order(g=>g.setTools(b(),g.defaultSession(),u))}catch(k){
throw p.dispose(),k}return p}i(wo,"open");function Si(t){let e=R("the options of a manager",t),n={},r=new dn,o={},s,a=new he(
e.agents),u=new ge(e.profiles),d={},c,f={};for(let[l,m]of Object.entries(e))if(!(m===void 0||l==="agents"||l==="profiles")){
if(yo.includes(l)){if(typeof m!="function")throw h(`\`${l}\``,"a function",m);n[l]=l==="onWake"?pe(m):m}else if(!r.take(
l,m))if(l==="retry")o.retry=rn(l,m);else if(l==="bus"){if(e.onWake!==void 0)throw J("`bus` and `onWake`",l);c=Mr(m)}else if(l===
"modelId"){let p=D("`modelId`",m);if(e.getModelId!==void 0)throw J("`modelId` and `getModelId`",l);n.getModelId=()=>p}else if(l===
"tools")s=Y("`tools`",m);else if(l==="policies")d=Ai(m);else if(l==="mainLimits")f=xi("mainLimits",m);else throw ve("a m\
anager",l,[...yo,...Sr,...ki])}return a.checkProfiles(u),{functions:n,bounds:r,settings:o,tools:s,agents:a,profiles:u,policies:d,
mainLimits:f,bus:c}}i(Si,"read");function Ai(t){if(Array.isArray(t))throw h("`policies`","an object with subAgents or ma\
in",t);let{subAgents:e,main:n,...r}=R("`policies`",t);return H("policies",r,["subAgents","main"]),{...e!==void 0&&{subAgents:e},
...n!==void 0&&{main:n}}}i(Ai,"policySets");function xi(t,e){let{maxTurns:n,maxContextTokens:r,timeoutMs:o,...s}=R(`\`${t}\
\``,e);H(t,s,["maxTurns","maxContextTokens","timeoutMs"]);let a={},u=P(`\`${t}.maxTurns\``,n),d=P(`\`${t}.maxContextToke\
ns\``,r),c=ue(`\`${t}.timeoutMs\``,o);return u!==void 0&&(a.maxTurns=u),d!==void 0&&(a.maxContextTokens=d),c!==void 0&&(a.
timeoutMs=c),a}i(xi,"mainLimitsOf");function pm(t,e){return wo(t,e,(n,r)=>new Ze(n,r))}i(pm,"open");export{hn as Door,Kr as ENDED,Md as MOVED,$d as PENDING,kd as abortRun,jd as askDone,Fr as attach,_d as consumerGate,U as enter,
Id as facts,Dr as isInside,W as leave,Cd as makeTool,pm as open,Od as policiesDue,dt as release,Ed as runEnded,wd as runRetried,
yd as startRun,Td as startsStopped,xd as taskClosed,Ad as taskForgotten,Sd as turnReady,Pd as waitDone,Rd as wakeAt,vd as wakeSession};
