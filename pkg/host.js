var Ls=Object.defineProperty;var i=(n,e)=>Ls(n,"name",{value:e,configurable:!0});var Dt=Number.NaN,Lt,Nn;function h(){return Nn!==setTimeout&&Us(),Dt+Lt.now()}i(h,"now");function Us(){Nn=setTimeout,Lt=
performance,Number.isNaN(Dt)&&(Dt=Date.now()-Lt.now())}i(Us,"lookUp");var $n=2147483647;function Mn(n,e){return new Promise(
t=>{let r=e<=$n?setTimeout(t,e):void 0,s=i(()=>{clearTimeout(r),t()},"over");n.then(s,s)})}i(Mn,"within");var le=class{static{
i(this,"Alarm")}timer;at=0;held=!1;keeps;ring;constructor(e){this.ring=()=>{this.timer=void 0,h()<this.at?this.arm():e()}}set(e){
this.at=e,this.timer!==void 0&&clearTimeout(this.timer),this.arm()}hold(e){if(this.held===e)return;this.held=e;let t=this.
timer;e?t?.ref?.():t?.unref?.()}stop(){this.timer!==void 0&&clearTimeout(this.timer),this.timer=void 0}arm(){this.timer=
setTimeout(this.ring,Math.min(Math.max(Math.ceil(this.at-h()),1),$n)),this.held||this.timer.unref?.()}};var Kn=[[0,32],[127,160],[5760,5760],[8192,8202],[8232,8233],[8239,8239],[8287,8287],[12288,12288]],Ut=[[173,173],[847,847],
[1564,1564],[4447,4448],[6068,6069],[6155,6159],[8203,8203],[8206,8207],[8234,8238],[8288,8303],[12644,12644],[65024,65037],
[65279,65279],[65440,65440],[65520,65531],[65534,65535],[113824,113827],[119155,119162],[917504,921599]],Bt=[["'","’"],
['"',"’"],["`","’"],["“","‘"],["”","’"],["[","("],["]",")"],["<","‹"],[">","›"],["＇","’"],["＂","’"],
["｀","’"],["［","("],["］",")"],["＜","‹"],["＞","›"]],ne=80,Be=500,We=300,Fn=80;function Wt(n,e){return n.some(([t,r])=>t<=e&&e<=r)}i(Wt,"isIn");var Dn;function Bs(){let n=Bt.map(([r])=>r),t=`[${Array.
from({length:94},(r,s)=>String.fromCharCode(33+s)).filter(r=>!n.includes(r)).map(r=>`\\x${r.charCodeAt(0).toString(16)}`).
join("")}]+`;return new RegExp(`^${t}(?: ${t})*$`)}i(Bs,"plainWords");function P(n,e=Fn){if(Dn??=Bs(),n.length<=e&&Dn.test(
n))return n;let t="",r=0,s=!1;for(let o of n){let a=o.codePointAt(0);if(Wt(Ut,a))continue;if(Wt(Kn,a)){s=r>0;continue}let u=r+
(s?2:1);if(u>e)return`${t}…`;let d=a>=55296&&a<=57343?"�":Bt.find(([l])=>l===o)?.[1]??o;t+=s?` ${d}`:d,s=!1,r=u}return t}
i(P,"quoted");function Ge(n){let e="";for(let t of JSON.stringify(n)){let r=t.codePointAt(0),s=r<127||r>160&&r!==8232&&r!==8233&&!Wt(Ut,
r);e+=s?t:Ws(t)}return e}i(Ge,"jsonForModel");function Ws(n){return Array.from({length:n.length},(e,t)=>`\\u${n.charCodeAt(
t).toString(16).padStart(4,"0")}`).join("")}i(Ws,"escaped");var Ln=!1;function Gt(n){Ln=n}i(Gt,"withinCore");function Te(n){try{for(let e=n,t=0;e instanceof Error&&t<8;e=e.cause,t+=
1)e.stack}catch{}}i(Te,"letStackGo");var g=class extends Error{static{i(this,"SubAgentError")}name="SubAgentError";code;details;constructor(e,t,r={},s){
super(t,s),this.code=e,this.details=r,Ln&&Te(this)}};function Un(n,e){try{if(!(n instanceof Error)||n.name!=="SubAgentEr\
ror")return!1;let{code:t}=n;return e===void 0?typeof t=="string":t===e}catch{return!1}}i(Un,"isSubAgentError");var Bn=new WeakMap;
function Je(n,e){return e!==n.message&&Bn.set(n,e),n}i(Je,"tellingModels");function He(n){return Bn.get(n)??A(n)}i(He,"t\
oldOf");function b(n,e,t){let r=`${n} must be ${e}, got ${k(t)}`;return new g("invalid_argument",r,{argument:n.replaceAll(
"`",""),expected:e})}i(b,"invalid");function k(n){return typeof n=="string"?n.length>40?`a string of ${n.length} charact\
ers`:Ge(n):n==null||typeof n=="number"||typeof n=="boolean"?String(n):typeof n=="object"?Gs(n):`a ${typeof n}`}i(k,"desc\
ribe");function Gs(n){try{return Array.isArray(n)?n.length===0?"an empty list":"a list":"an object"}catch{return"an obje\
ct"}}i(Gs,"listOrObject");function A(n){try{if(typeof n=="string")return n;if(n instanceof Error)return String(n.message)||
String(n.name)||"an error without a message";if(typeof n=="object"&&n!==null&&typeof n.message=="string")return n.message}catch{}
return`threw ${k(n)}`}i(A,"messageOf");var Ve=class{static{i(this,"Scratch")}view=new Uint8Array(0);whole=new Uint8Array(0);encoder=new TextEncoder;decoder=new TextDecoder;core;memory;constructor(e,t){
this.core=e,this.memory=t}write(e,t=0){let r=t+e.length*3;return(this.view.length<r||this.view.length===0)&&this.grow(r),
this.encoder.encodeInto(e,t===0?this.view:this.view.subarray(t)).written}writeAll(e){let t=3*e.reduce((s,o)=>s+ce(o),0);
(this.view.length<t||this.view.length===0)&&this.grow(t);let r=0;return e.map(s=>{if(s===void 0)return 4294967295;let o=this.
write(s,r);return r+=o,o})}writeEnd(e){let{output:t,error:r,hostStatus:s,hostTaskId:o,artifactsJson:a,valueJson:u}=e,d=t.
length+ce(r)+ce(s)+ce(o)+ce(a)+ce(u);(this.view.length<d*3||this.view.length===0)&&this.grow(d*3);let l={output:this.write(
t),error:4294967295,status:4294967295,id:4294967295,artifacts:4294967295,value:4294967295},c=l.output;return r!==void 0&&
(c+=l.error=this.write(r,c)),s!==void 0&&(c+=l.status=this.write(s,c)),o!==void 0&&(c+=l.id=this.write(o,c)),a!==void 0&&
(c+=l.artifacts=this.write(a,c)),u!==void 0&&(l.value=this.write(u,c)),l}writeBytes(e){return(this.view.length<e.length||
this.view.length===0)&&this.grow(e.length),this.view.set(e),e.length}renew(){this.view=new Uint8Array(0)}read(e,t){return t===
0?"":this.decoder.decode(new Uint8Array(this.memory.buffer,e,t))}memoryView(){return this.whole.length===0&&(this.whole=
new Uint8Array(this.memory.buffer)),this.whole}copy(e,t){return new Uint8Array(this.memory.buffer,e,t).slice()}get memoryBytes(){
return this.memory.buffer.byteLength}letGo(){this.view=new Uint8Array(0),this.whole=new Uint8Array(0),this.core=void 0,this.
memory={buffer:new ArrayBuffer(0)}}grow(e){let t=Math.max(e,4096),r=this.core.scratch(t);this.view=new Uint8Array(this.memory.
buffer,r,t)}};function ce(n){return n===void 0?0:n.length}i(ce,"lengthOf");var Wn=new WeakMap;function Jn(n){if(Hs(n))return n;let e=Wn.get(n);if(e===void 0){let t=new AbortController;n.addEventListener(
"abort",()=>Gn(t,n),{once:!0}),Wn.set(n,t),e=t}return n.aborted===!0&&Gn(e,n),e.signal}i(Jn,"tamed");function Gn(n,e){let t;
try{({reason:t}=e)}catch(r){t=r}n.abort(t)}i(Gn,"fire");var Js=["aborted","reason","addEventListener","removeEventListen\
er"];function Hs(n){return Object.getPrototypeOf(n)===AbortSignal.prototype&&!Js.some(e=>Object.hasOwn(n,e))}i(Hs,"isPla\
tforms");var Hn={prompt:"instructions",input:"instructions",concurrency:"maxConcurrent",maxsteps:"maxTurns",maxretries:"retry",abortsignal:"\
signal",name:"nickname"};function qn(n,e){let t=Vn(n);if(t.length>40)return;let r,s=Number.POSITIVE_INFINITY,o=Object.hasOwn(
Hn,t)?Hn[t]:void 0;for(let a of e){if(a===o)return a;let u=Vs(t,Vn(a));u>=s||(s=u,r=a)}return r}i(qn,"nearestOf");function Vn(n){
return n.toLowerCase().replaceAll(/[_-]/g,"")}i(Vn,"plain");function Vs(n,e){let[t,r]=n.length<e.length?[n,e]:[e,n],s=qs(
n,e);return s<=Math.min(3,Math.floor(r.length/3))?s:t.length>=3&&r.startsWith(t)?40+s:Number.POSITIVE_INFINITY}i(Vs,"dis\
tanceOf");function qs(n,e){let t=[],r=Array.from({length:e.length+1},(s,o)=>o);for(let s=1;s<=n.length;s+=1){let o=[s];for(let a=1;a<=
e.length;a+=1){let u=n[s-1]===e[a-1],d=Math.min((r[a]??0)+1,(o[a-1]??0)+1,(r[a-1]??0)+(u?0:1));s>1&&n[s-1]===e[a-2]&&n[s-
2]===e[a-1]&&(d=Math.min(d,(t[a-2]??0)+1)),o.push(d)}[t,r]=[r,o]}return r[e.length]??0}i(qs,"editsOf");var Yn=100,zn=1048576,C=16777216;function R(n,e,t="an object"){return O(n,()=>{if(fe(n,e,t),Array.isArray(e))throw b(n,t,
e);let r=Object.create(null);for(let s of Xn(e)){let o=Object.getOwnPropertyNames(s),a=Object.keys(s).length===o.length;
for(let u of o)!(u in r)&&(a||Ys(s,u))&&(r[u]=e[u])}return r})}i(R,"optionsOf");function Ys(n,e){let{enumerable:t,get:r}=Object.
getOwnPropertyDescriptor(n,e)??{};return t===!0||r!==void 0}i(Ys,"isGiven");function Xn(n){let e=[n],t=Object.getPrototypeOf(
n);for(;t!==null&&!zs(t);){if(e.push(t)>Yn)throw new Error(`it inherits from more than ${Yn} objects`);t=Object.getPrototypeOf(
t)}return e}i(Xn,"levelsOf");function zs(n){return n===Object.prototype||Object.getPrototypeOf(n)===null&&Object.hasOwn(
n,"hasOwnProperty")}i(zs,"isRoot");function re(n,e){return z(n,e,n[e])}i(re,"propertyOf");function z(n,e,t){return t===void 0||
Object.hasOwn(n,e)||Object.getPrototypeOf(n)!==Object.prototype&&Xn(n).some(s=>Object.hasOwn(s,e))?t:void 0}i(z,"ownOf");
function fe(n,e,t="an object"){if(typeof e=="object"&&e!==null)return e;throw b(n,t,e)}i(fe,"objectOf");function F(n,e,t,r){
return O(n,()=>{if(!Array.isArray(t))throw b(n,e,t);let{length:s}=t;if(!(s<=zn))throw b(n,`a list of at most ${zn} entri\
es`,s);let o=[];for(let a=0;a<s;a+=1){let u=n.endsWith("`")?`${n.slice(0,-1)}[${a}]\``:`${n}[${a}]`;o.push(r(Object.hasOwn(
t,a)?O(u,()=>t[a]):void 0,u))}return o})}i(F,"listOf");function Qn(n,e){return F(n,"a list",e,t=>t)}i(Qn,"entriesOf");function Jt(n){
return typeof n=="string"&&n.length<=C}i(Jt,"isText");function E(n,e){if(Jt(e))return e;throw b(n,typeof e=="string"?`a \
text of at most ${C} characters`:"a string",e)}i(E,"textOf");function pe(n,e){let t=E(n,e);if(Ht(t))return t;throw b(n,"\
well-formed text, as `toWellFormed()` makes it",e)}i(pe,"nameOf");function Ht(n){return n.isWellFormed?.()??!Xs.test(n)}
i(Ht,"isWellFormed");var Xs=/[\ud800-\udfff]/u;function Zn(n,e,t,r=`the options of ${n}`){return O(r,()=>{let s=R(r,e),o=Object.
keys(s).find(a=>!t.includes(a));if(o!==void 0)throw Oe(n,o,t);return s})}i(Zn,"knownOptions");function X(n,e){return new g("invalid_argument",`${n} say the same: give one`,{argument:e})}i(X,"saidTwice");function Oe(n,e,t){
return Re(`${n} has no option \`${e}\``,e,t,{argument:e})}i(Oe,"unknownOption");function G(n,e,t){let[r]=Object.keys(e);
if(r===void 0)return;let s=`${n}.${r}`;throw Re(`\`${n}\` has no \`${r}\``,r,t,{argument:s},`; it has ${t.join(", ")}`)}
i(G,"noOtherFields");function qe(n,e,t){return Re(`${n} has no \`${e}\``,e,t,{argument:e},`; it has ${t.join(", ")}`)}i(
qe,"unknownField");function Re(n,e,t,r,s=""){let o=qn(e,t);return o===void 0?new g("invalid_argument",n+s,r):new g("inva\
lid_argument",`${n}; did you mean \`${o}\`?`,{...r,suggestion:o})}i(Re,"unknownPart");function O(n,e){try{return e()}catch(t){
throw Vt(n,t)}}i(O,"readArgument");function Vt(n,e){return qt(e)?e:new g("invalid_argument",`${n} can't be read: ${A(e)}`,
{argument:n.replaceAll("`","")},{cause:e})}i(Vt,"unreadable");function qt(n){try{return n instanceof g}catch{return!1}}i(
qt,"isOurs");function Ye(n,e){if(e!==void 0)return O(n,()=>{let{aborted:t,addEventListener:r,removeEventListener:s}=Object(
e);if(typeof t=="boolean"&&typeof r=="function"&&typeof s=="function")return Jn(e);throw b(n,"an AbortSignal",e)})}i(Ye,
"signalOf");var Qs=100,Zs=500,eo=["completed","cancelled","blocked_on_user"];function to({status:n="pending"}){return!eo.includes(n)}
i(to,"isOpenTodo");function er(n){let e=0,t=[],r=F("`todos`","a list of { content, status }",n,(s,o)=>{let{content:a,description:u,
status:d="pending"}=Object(s),l=a??u;if(typeof l!="string")throw b(`the \`content\` or \`description\` of ${o}`,"a strin\
g",l);if(typeof d!="string")throw b(`the \`status\` of ${o}`,"a string",d);return{content:l,status:d}});for(let{content:s,
status:o}of r){let a={content:ze(s,Zs),status:ze(o,40)};to(a)&&(e+=1),t.length<Qs&&t.push(a)}return{open:e,json:JSON.stringify(
t)}}i(er,"readTodos");function tr(n,{slot:e,generation:t,run:r},{open:s,json:o}){let a=n.write(o);n.act(u=>u.todos(h(),e,
t,r,s,a))}i(tr,"reportTodos");function je(n){return n===""?[]:JSON.parse(n)}i(je,"parseTodos");function ze(n,e){return n.
length<=e?n:Array.from(n.slice(0,e*2)).slice(0,e).join("")}i(ze,"firstChars");function J(n,e){return e===void 0?void 0:E(n,e)}i(J,"string");function Q(n,e){return e===void 0?void 0:F(n,"a list of st\
rings",e,(t,r)=>E(r,t))}i(Q,"strings");function Xe(n,e){return e===void 0?void 0:pe(n,e)}i(Xe,"name");function N(n,e){if(e!==
void 0){if(typeof e=="number"&&e>=1&&(Number.isInteger(e)||e===Number.POSITIVE_INFINITY))return e;throw b(n,"a whole num\
ber of at least 1, or Infinity",e)}}i(N,"count");function me(n,e){if(e!==void 0){if(typeof e=="number"&&e>0)return e;throw b(
n,"a number above 0, or Infinity",e)}}i(me,"amount");function Qe(n,e,t=!1){if(e!==void 0){if(t&&e===0)return 0;if(typeof e==
"number"&&e>0)return Math.max(1,Math.round(e));throw b(n,`milliseconds ${t?"of at least":"above"} 0, or Infinity`,e)}}i(
Qe,"duration");function nr(n,e){if(e!==void 0){if(typeof e=="number"&&Number.isSafeInteger(e))return e;throw b(n,"a whol\
e number",e)}}i(nr,"integer");function Pe(n,e){if(e===void 0)return{};let t=R(`\`${n}\``,e,"an object with tokens, costU\
sd or turns"),{tokens:r,costUsd:s,turns:o,...a}=t;G(n,a,["tokens","costUsd","turns"]);let u={},[d,l,c]=[N(`\`${n}.tokens\
\``,r),me(`\`${n}.costUsd\``,s),N(`\`${n}.turns\``,o)];return d!==void 0&&(u.tokens=d),l!==void 0&&(u.costUsd=l),c!==void 0&&
(u.turns=c),u}i(Pe,"readBudget");function Z(n){let e=n;return e.isWellFormed?.()===!1?e.toWellFormed?.()??n:n}i(Z,"wellFormed");function Ze(n,e){let t=0;
for(let r=0;r<n.length;){let s=n.codePointAt(r);if(t+=s<128?1:s<2048?2:s<65536?3:4,t>e)return n.slice(0,r);r+=s>65535?2:
1}return n}i(Ze,"headOf");function et(n,e,t,r={left:e}){let s=Math.max(0,r.left-e),o=JSON.stringify(n,(a,u)=>{if(r.left-=typeof u=="string"?u.length:
1,r.left<s)throw new Error(t);return u});if(o!==void 0&&o.length>e)throw new Error(t);return o}i(et,"jsonWithin");var tt=20,no=1e3;function rr(n,e,t){let r=[],s=[],o=C,a={left:2*C},u=0;return F(n,"a list",e,(d,l)=>{if(u>=tt&&a.left===
0){u+=1;return}try{let c=et(d,o,`the artifacts have more than ${C} characters`,a);if(c===void 0)throw new Error(`JSON ha\
s no ${k(d)}`);o=Math.max(0,o-c.length-1),s.push(c),r.push(d)}catch(c){u+=1,a.left=Math.max(0,a.left-no),u<=tt&&t(`${l} \
was not kept: ${A(c)}`,l)}}),u>tt&&t(`${u-tt} more artifacts were not kept`,n),s.length===0?{artifacts:void 0,artifactsJson:void 0}:
{artifacts:r,artifactsJson:`[${s.join(",")}]`}}i(rr,"readArtifacts");var H=Symbol("unreadable"),I=Symbol("unread");function sr(n,e){let t=n,r={usage:I,status:I,output:I,value:I,artifacts:I,
taskId:I,error:I};try{if(r.usage=t.usage,r.status=t.status,r.output=t.output,r.value=t.value,r.artifacts=t.artifacts,r.taskId=
t.taskId,r.error=t.error,Object.getPrototypeOf(t)===Object.prototype&&!ar(ir))return r}catch(s){ur(t,r,s,e)}return dr(t,
r,e),r}i(sr,"fieldsOfResult");function or(n){let e=n,t={costUsd:I,cost:I,tokens:I,inputTokens:I,outputTokens:I,turns:I,durationMs:I};
try{if(t.costUsd=e.costUsd,t.cost=e.cost,t.tokens=e.tokens,t.inputTokens=e.inputTokens,t.outputTokens=e.outputTokens,t.turns=
e.turns,t.durationMs=e.durationMs,Object.getPrototypeOf(e)===Object.prototype&&!ar(ir))return t}catch(r){ur(e,t,r,()=>{})}
return dr(e,t,()=>{}),t}i(or,"fieldsOfUsage");var ir={};function ar(n){return"usage"in n||"status"in n||"output"in n||"v\
alue"in n||"artifacts"in n||"taskId"in n||"error"in n||"costUsd"in n||"cost"in n||"tokens"in n||"inputTokens"in n||"outp\
utTokens"in n||"turns"in n||"durationMs"in n}i(ar,"isOnPrototype");function ur(n,e,t,r){let s=!1;for(let o of Object.keys(
e))if(e[o]===I){try{if(!s)throw t;e[o]=n[o]}catch(a){e[o]=H,r(o,a)}s=!0}}i(ur,"readApart");function dr(n,e,t){for(let r of Object.
keys(e))if(e[r]!==H)try{e[r]=z(n,r,e[r])}catch(s){e[r]=H,t(r,s)}}i(dr,"keepOwn");var se=0,ro=1,so=2,oo=3,io=4,nt=5,ao=6,_=-1;function ge(n){if(typeof n!="object"||n===null)return rt(`spawnSubAgent must\
 resolve to { output, status, usage }, it resolved to ${k(n)}`);let e=Qt(se),t=new zt(e),{usage:r,status:s,output:o,value:a,
artifacts:u,taskId:d,error:l}=sr(n,(c,f)=>t.unreadable(c,f));return he(r)||uo(r,e,t),e.how=po(s,t),a!==H&&(e.value=a),typeof o==
"string"?e.output=Z(o):(!he(o)||e.how===se&&e.value===void 0)&&(t.wrong("output","a string",o),e.how===se&&(e.how=nt)),!he(
u)&&u!==H&&fo(u,e,t),typeof d=="string"?e.hostTaskId=d===""?void 0:Yt(d):he(d)||t.wrong("taskId","a string",d),typeof s==
"string"&&s!=="completed"&&(e.hostStatus=Yt(s)),!he(l)&&l!==""&&l!==H&&(e.error=Z(Yt(A(l))),typeof l=="object"&&(e.cause??=
l)),t.say(),e}i(ge,"readResult");var zt=class{static{i(this,"Lost")}sentences=void 0;returned;constructor(e){this.returned=
e}unreadable(e,t){this.sentences===void 0&&(this.returned.cause=t),this.add(`the result's ${e} can't be read: ${A(t)}`)}wrong(e,t,r){
r!==H&&this.add(`the result's ${e} must be ${t}, got ${k(r)}`)}add(e){this.sentences??=[],this.sentences.push(e)}say(){if(this.
sentences===void 0)return;let{error:e}=this.returned;this.returned.error=[...e===void 0?[]:[e],...this.sentences].join("\
; ")}};function he(n){return n==null}i(he,"isAbsent");function uo(n,e,t){if(typeof n!="object"||n===null||!co(n)){t.wrong(
"usage","{ tokens, costUsd, turns }",n),e.tokens=e.cost=e.turns=Number.NaN;return}let r=or(n),s=L(r.costUsd);if(e.tokens=
Xt(r.tokens,r.inputTokens,r.outputTokens),e.cost=s===_?L(r.cost):s,e.turns=L(r.turns),e.durationMs=L(r.durationMs),e.tokens!==
_||e.cost!==_||e.turns!==_||e.durationMs!==_)return;let o=lo(n);o.length!==0&&(t.add(`the result's usage has none of tok\
ens, costUsd, turns; it has ${o.map(k).join(", ")}`),e.tokens=e.cost=e.turns=Number.NaN)}i(uo,"readUsage");function lo(n){
try{return Object.entries(n).filter(([,t])=>!he(t)).slice(0,5).map(([t])=>t)}catch{return[]}}i(lo,"namesIn");function co(n){
try{return!Array.isArray(n)&&typeof z(n,"then",n.then)!="function"}catch{return!1}}i(co,"isUsage");function fo(n,e,t){try{
let{artifacts:r,artifactsJson:s}=rr("artifacts",n,o=>t.add(o));e.artifacts=r,e.artifactsJson=s}catch(r){t.add(A(r))}}i(fo,
"readArtifactsOf");function Yt(n){return n.length>C?n.slice(0,C):n}i(Yt,"cut");function cr(n,e,t){if(n.how!==se)return n;
let r=e.check(n.value,t);return r instanceof Promise?r.then(s=>lr(n,s)):lr(n,r)}i(cr,"checkValue");function lr(n,e){if("\
wrong"in e){let s=[e.wrong,...n.error===void 0?[]:[n.error]].join("; ");return{...n,how:nt,error:s,value:void 0}}let{value:t,
json:r}=e;return{...n,value:t,valueJson:r,output:n.output||r}}i(lr,"judged");function L(n){return n==null?_:typeof n=="n\
umber"&&n>=0?n:Number.NaN}i(L,"reading");function Xt(n,e,t){let r=L(n),[s,o]=[L(e),L(t)];return r!==_||s===_&&o===_?r:(s===
_?0:s)+(o===_?0:o)}i(Xt,"totalTokens");function po(n,e){switch(n){case void 0:case null:case"completed":return se;case"f\
ailed":case"error":return ro;case"cancelled":case"aborted":return so;case"timed_out":case"timeout":return oo;default:return typeof n!=
"string"&&e.wrong("status","a string",n),n===H?nt:se}}i(po,"statusOf");function Qt(n){return{how:n,output:"",error:void 0,
cause:void 0,hostStatus:void 0,hostTaskId:void 0,artifacts:void 0,artifactsJson:void 0,value:void 0,valueJson:void 0,tokens:_,
cost:_,turns:_,durationMs:_}}i(Qt,"empty");function rt(n,e){let t=Qt(nt);return t.error=n,t.cause=e,t}i(rt,"invalidResul\
t");function be(){let n=Qt(se);return n.tokens=n.cost=n.turns=0,n}i(be,"nothing");function st(n,e){let t=rt(n,e);return t.
how=Un(e,"worker_lost")?ao:io,t}i(st,"threw");var fr={label:null,parentId:null,metadata:null,sessionKey:null},mo=["tokens","costUsd","turns"],pr=new Uint8Array(0),ho=2**
64-2048,ot=class{static{i(this,"FactBytes")}bytes=pr;at=0;end=0;decoder=new TextDecoder;memory;idOf;aboutOf;slot=0;generation=0;admittedSlot=0;constructor(e,t,r=()=>fr){
this.memory=e,this.idOf=t,this.aboutOf=r}begin(e,t,r){this.bytes=r??this.memory(),this.at=e,this.end=e+t}get position(){
return this.at}get isOver(){return this.at<this.end?!1:(this.bytes=pr,!0)}byte(){if(this.at>=this.end)throw new Error("a\
 fact was cut off");return this.bytes[this.at++]}number(){let e=this.byte();if(e<128)return e;let t=e-128,r=128;for(;;){
let s=this.byte();if(s<128)return t+=s*r,t>=ho?Number.POSITIVE_INFINITY:t;t+=(s-128)*r,r*=128}}signed(){let e=this.number();
return e%2===0?e/2:-(e+1)/2}flag(){return this.byte()===1}text(){let e=this.number(),t=this.at;if(this.at+=e,this.at>this.
end)throw new Error("a fact was cut off");return e===0?"":this.decoder.decode(this.bytes.subarray(t,this.at))}json(){return JSON.
parse(this.text())}task(){let e=this.number(),t=this.number();if(this.slot=e,this.generation=t,e<=1)return null;let r=this.
idOf(e,t);return this.refresh(),r}newTask(){let e=this.task();return this.admittedSlot=this.slot,e}refresh(){this.bytes.
length===0&&(this.bytes=this.memory())}get about(){if(this.slot<=1)return fr;let e=this.aboutOf(this.slot,this.generation);
return this.refresh(),e}dollars(){return this.number()/1e9}amounts(){return{tokens:this.number(),costUsd:this.dollars(),
turns:this.number()}}dimensions(){let e=this.byte();return e===0?[]:mo.filter((t,r)=>(e&1<<r)!==0)}name(e){return e[this.
byte()]}list(e){let t=[];for(let r=this.number();r>0;r-=1)t.push(e());return t}};var V=["pending","running","idle","completed","failed","timed_out","cancelled","interrupted","closed"],T=["finished","ho\
st_failed","host_threw","invalid_result","host_cancelled","host_timed_out","timeout","idle_timeout","max_turns","budget_\
exhausted","cancelled","ancestor_cancelled","parent_ended","interrupted","closed","signal_aborted","drained","policy","m\
arked_failed","host_lost","never_reported"],it=["host_threw","host_failed","host_lost","invalid_result","host_timed_out",
"host_cancelled"];var Zt=["before_spawn","before_start","before_turn","before_tool","after_tool","before_end","on_timeout"],en=["inject","\
force_turn","block","finish"],Ee=["adopt","wait","cancel"];var go=i(n=>({max:n.number(),backoffMs:n.number(),on:n.list(()=>n.name(T))}),"retry"),mr=i(n=>({label:n.flag()?n.text():
null,nickname:n.flag()?n.text():null,contextHint:n.flag()?n.text():null,tools:n.flag()?n.list(()=>n.text()):null,systemPrompt:n.
flag()?n.text():null,profile:n.flag()?n.text():null,modelId:n.flag()?n.text():null,sourceAgentId:n.flag()?n.text():null,
maxTurns:n.flag()?n.number():null,timeoutMs:n.flag()?n.number():null,idleTimeoutMs:n.flag()?n.number():null,turnEstimate:n.
flag()?n.number():null,priority:n.flag()?n.signed():null,rateLimitKey:n.flag()?n.text():null,disallowedTools:n.flag()?n.
list(()=>n.text()):null,originChannel:n.flag()?n.text():null,originChatId:n.flag()?n.text():null,json:n.flag(),onParentEnd:n.
flag()?n.name(Ee):null,metadata:n.flag()?n.json():null,retry:n.flag()?go(n):null,turnEstimateUsd:n.flag()?n.dollars():null}),
"spec");function hr(n,e,t){if(!n.knowsTools&&t===void 0)return e;let r={},{runtime:s,slot:o,generation:a}=n;if(n.knowsTools){let u=n.
snapshot().tools??[];yo(t?.tools,u)||(r.tools=[...u])}if(t?.maxTurns!==void 0||t?.maxCost!==void 0){let u=s.call(d=>d.runLimits(
o,a));t.maxTurns!==void 0&&u!==void 0&&u.maxTurns<t.maxTurns&&(r.maxTurns=u.maxTurns),t.maxCost!==void 0&&u!==void 0&&u.
costUsd<t.maxCost&&(r.maxCost=u.costUsd)}return Object.keys(r).length===0?e:bo(e,r)}i(hr,"allowed");function bo(n,e){let t=Object.
getOwnPropertyDescriptors(n);for(let[r,s]of Object.entries(e))t[r]={value:s,enumerable:!0,writable:!0,configurable:!0};return Object.
create(Object.getPrototypeOf(n),t)}i(bo,"replaced");function yo(n,e){return n?.length===e.length&&e.every((t,r)=>t===n[r])}
i(yo,"isSame");var oe=[{name:"label",alias:void 0,staged:"label",kind:"label",isDefined:!1},{name:"nickname",alias:void 0,staged:"nickn\
ame",kind:"name",isDefined:!1},{name:"contextHint",alias:void 0,staged:"contextHint",kind:"text",isDefined:!0},{name:"to\
ols",alias:void 0,staged:"tools",kind:"texts",isDefined:!0},{name:"systemPrompt",alias:void 0,staged:"systemPrompt",kind:"\
text",isDefined:!1},{name:"profile",alias:"promptProfile",staged:"profile",kind:"reference",isDefined:!0},{name:"modelId",
alias:void 0,staged:"modelId",kind:"text",isDefined:!1},{name:"agent",alias:"agentId",staged:"sourceAgentId",kind:"refer\
ence",isDefined:!1},{name:"maxTurns",alias:"maxSteps",staged:"maxTurns",kind:"count",isDefined:!0},{name:"timeoutMs",alias:void 0,
staged:"timeoutMs",kind:"duration",isDefined:!0},{name:"idleTimeoutMs",alias:void 0,staged:"idleTimeoutMs",kind:"duratio\
n",isDefined:!0},{name:"turnEstimate",alias:void 0,staged:"turnEstimate",kind:"count",isDefined:!0},{name:"priority",alias:void 0,
staged:"priority",kind:"integer",isDefined:!0},{name:"rateLimitKey",alias:void 0,staged:"rateLimitKey",kind:"name",isDefined:!0},
{name:"onParentEnd",alias:void 0,staged:"onParentEnd",kind:"onParentEnd",isDefined:!1},{name:"metadata",alias:void 0,staged:"\
metadata",kind:"metadata",isDefined:!1},{name:"retry",alias:void 0,staged:"retry",kind:"retry",isDefined:!0},{name:"turn\
EstimateUsd",alias:void 0,staged:"turnEstimateUsd",kind:"dollars",isDefined:!0}];var gr={tokens:Number.NaN,cost:Number.NaN};function ko(n){let e=new ot(()=>n,()=>null);return e.begin(0,n.length),mr(e)}
i(ko,"readGiven");var q=class n{static{i(this,"ActiveRun")}static{Object.setPrototypeOf(n.prototype,null)}slot=0;generation=0;run=0;hostOpen=!1;settled=!1;knowsTools=!1;abortedEarly=!1;text=void 0;#e=void 0;#t=void 0;result=void 0;returned=void 0;turn=void 0;agent=void 0;#n=void 0;given;asked;isAllowed=!1;handed=void 0;controller=void 0;id=void 0;view=void 0;#r=void 0;runtime;constructor(e,t,r){
this.runtime=e,this.given=t,this.asked=r}get format(){return this.#t??=this.snapshot().format,this.#t}set format(e){this.#t=
e}get background(){return this.#e??=this.snapshot().background,this.#e}set background(e){this.#e=e}get check(){return this.#n??
this.runtime.sessionData.checkOf(this.slot,this.generation)}set check(e){this.#n=e}get taskId(){return this.id??=this.runtime.
lookup.taskId(this.slot,this.generation),this.id}get latest(){let e=this;for(;e.successor!==void 0;)e=e.successor;return e}again(e){
let t=new n(this.runtime,this.given);return t.slot=this.slot,t.generation=this.generation,t.run=this.run+1,t.text=this.text,
t.#e=this.#e,t.#t=this.#t,t.#n=this.#n,t.watch=this.watch,t.before=this.returned,t.previousError={reason:e,error:this.returned?.
error??null},[t.followers,this.followers]=[this.followers,void 0],[t.unfollow,this.unfollow]=[this.unfollow,void 0],this.
named?.resolve(),this.successor=t,t}follow(e){this.followers??=[],this.followers.push(e)}expectName(){let e=i(()=>{},"re\
solve"),t=new Promise(r=>{e=r});this.named={promise:t,resolve:e}}takeStart(){let{starting:e}=this;return e!==void 0&&(this.
starting=void 0),e}params(){if(this.given===void 0){let{tools:e,systemPrompt:t,maxTurns:r,background:s}=this.snapshot(),
o={instructions:this.prompt(),maxTurns:r,background:s,...e&&{tools:e},...t&&{systemPrompt:t}};this.given=this.runtime.journal?.
goesOn===!0?{...this.keptParams(),...o}:o}else this.isAllowed||(this.given=hr(this,this.given,this.asked));return this.isAllowed=
!0,this.given}keptParams(){let e={},t=this.runtime.call(s=>s.given(this.slot,this.generation));if(t!==void 0){let s=ko(t);
for(let{name:o,staged:a}of oe)s[a]!==null&&(e[o]=s[a]);s.json&&(e.format="json"),s.originChannel!==null&&(e.origin={channel:s.
originChannel,chatId:s.originChatId})}let r=Object.entries(this.snapshot().budget).flatMap(([s,{cap:o}])=>Number.isFinite(
o)?[[s,o]]:[]);if(r.length>0){let s=Object.fromEntries(r);e.budget=s,s.costUsd!==void 0&&(e.maxCost=s.costUsd)}return e}handedRun(){
return this.handed??=this.runtime.makeRun(this),this.handed}prompt(){return this.text??this.runtime.call(e=>e.message(this.
slot))}snapshot(){return this.view??=this.runtime.lookup.snapshot(this.slot,this.generation),this.view}brief(){return this.#r??=
this.runtime.lookup.brief(this.slot,this.generation),this.#r}get signal(){return this.controller===void 0&&(this.controller=
new AbortController,this.aborted!==void 0&&this.controller.abort(this.abortError(this.aborted))),this.controller.signal}abort(e){
this.aborted=e,this.controller?.abort(this.abortError(e))}abortError(e){return new g("aborted",`the sub-agent was told t\
o stop: ${e}`,{reason:e})}};var wo=["tokens","inputTokens","outputTokens","costUsd","contextTokens","message","todos"];function br(n,e,t){let r,s=gr;
try{t!==void 0&&(s=So(t));let a=e.agent;if(e.turn!==void 0||a?.asksForTurn===!0)throw new g("invalid_argument","the last\
 beforeTurn has not answered yet");let{gates:u,runs:d}=n;u.sub.has("before_turn")||a?.hasInjected===!0?r=u.beforeTurn(u.
agentOf(e),()=>d.takeTurn(e,s)):r=d.takeTurn(e,s)}catch(a){r=Promise.reject(a)}let o=n.answer(r);return e.watch===void 0?
o:xo(e,o)}i(br,"beforeTurn");async function xo(n,e){let t=await e;return t.go&&n.watch?.(n,{turn:t.turn}),t}i(xo,"watche\
d");function So(n){return O("the options of beforeTurn",()=>{let{tokens:e,costUsd:t}=Zn("beforeTurn",n,["tokens","costUs\
d"]),r=t===0?0:me("`costUsd`",t);return{tokens:N("`tokens`",e)??Number.NaN,cost:r??Number.NaN}})}i(So,"estimateOf");function yr(n,e,t){
let{tokens:r,costUsd:s,contextTokens:o,message:a,list:u}=O("a report",()=>{let{tokens:p,inputTokens:m,outputTokens:w,costUsd:y,
contextTokens:x,message:v,todos:S,...Y}=R("a report",t),Ft=Xt(p,m,w);for(let Le of Object.keys(Y))throw qe("a report",Le,
wo);return v!==void 0&&E("`message`",v),{tokens:Ft,costUsd:y,contextTokens:x,message:v,list:S===void 0?void 0:er(S)}});if(n.
isClosed)return;a!==void 0&&n.gates.agentOf(e).say(a);let d=a===void 0?4294967295:n.write(a),{slot:l,generation:c,run:f}=e;
n.act(p=>p.report(h(),l,c,f,r,L(s),L(o),d)),u!==void 0&&tr(n,e,u),a!==void 0&&e.watch!==void 0&&n.onceKept(()=>e.watch?.(
e,{message:a}))}i(yr,"reportOn");var at=class{static{i(this,"BareRun")}#e;#t;constructor(e,t){this.#e=e,this.#t=t}get taskId(){return this.#t.taskId}get run(){
return this.#t.run}get prompt(){return this.#t.prompt()}get signal(){return this.#t.signal}beforeTurn(e){return br(this.#e,
this.#t,e)}report(e){yr(this.#e,this.#t,e)}};var Ao={triggerAsyncId:void 0,requireManualDestroy:!1},kr;function xr(){return kr??={capture:vo(globalThis)},kr.capture}
i(xr,"capture");function vo({process:n,AsyncLocalStorage:e,AsyncContext:t}){let r=wr(To(n))??wr(e&&{AsyncLocalStorage:e});if(r!==void 0)
return r;let s=t?.Snapshot;if(typeof s=="function")return nn(()=>{let o=new s;return{runInAsyncScope:i((a,u,...d)=>o.run(
()=>a.apply(u,d)),"runInAsyncScope")}})}i(vo,"find");function To(n){try{return n?.getBuiltinModule?.("async_hooks")}catch{
return}}i(To,"builtIn");function wr(n){let{AsyncResource:e,AsyncLocalStorage:t}=n??{};if(typeof e=="function")return nn(
()=>new e("SubAgent",Ao));if(typeof t?.snapshot=="function")return nn(()=>{let r=t.snapshot();return{runInAsyncScope:i((s,o,...a)=>r(
()=>s.apply(o,a)),"runInAsyncScope")}})}i(wr,"captureOf");function nn(n){try{return n().runInAsyncScope(()=>!0)?n:void 0}catch{
return}}i(nn,"tried");function ee(n){let e=xr()?.();return e===void 0?n:((...t)=>e.runInAsyncScope(n,void 0,...t))}i(ee,
"bound");var ut=class{static{i(this,"Contexts")}kept=[];generations=[];capture=xr();opening=this.capture?.();entered=void 0;get matter(){
return this.capture!==void 0}keep(e,t){this.capture!==void 0&&(this.kept[e]=this.capture(),this.generations[e]=t)}enter(e){
let t=this.entered;return this.entered=this.kept[e],t}leave(e){this.entered=e}run(e,t,r){let s=this.generations[e]===t?this.
kept[e]:this.opening;return s===void 0||s===this.entered?r():s.runInAsyncScope(r)}taskForgotten(e,t){this.generations[e]===
t&&(this.kept[e]=void 0)}clear(){this.kept.length=0,this.generations.length=0}};var Sr=16384,Ar=32;function vr(n,e){if(e!==void 0){if(typeof e!="object"||e===null||Array.isArray(e))throw dt(n,"a plain\
 object of JSON values",e);return sn(e,n,0,{left:Sr,what:"metadata",most:Sr})}}i(vr,"readMetadata");function Tr(n){return n===null?null:JSON.parse(n)}i(Tr,"metadataOf");function dt(n,e,t){return b(`\`${n}\``,e,t)}i(dt,"w\
rong");function sn(n,e,t,r){if(typeof n=="string"||typeof n=="boolean"||n===null)return rn(JSON.stringify(n),r);if(typeof n==
"number"){if(!Number.isFinite(n))throw dt(e,"a number that JSON has",n);return rn(JSON.stringify(n),r)}if(typeof n!="obj\
ect")throw dt(e,"a value that JSON has",n);if(t>=Ar)throw new g("invalid_argument",`\`${e}\` nests deeper than ${Ar} lev\
els`,{argument:e});if(r.left-=2,Array.isArray(n)){let a=[];for(let u=0;u<n.length;u+=1){if(!Object.hasOwn(n,u))throw dt(
`${e}[${u}]`,"a value that JSON has",void 0);a.push(sn(n[u],`${e}[${u}]`,t+1,r))}return`[${a.join(",")}]`}let s=Object.getPrototypeOf(
n);if(s!==null&&Object.getPrototypeOf(s)!==null)throw new g("invalid_argument",`\`${e}\` must be a plain object of JSON v\
alues, got ${k(n)} of a class`,{argument:e});let o=[];for(let a of Object.keys(n)){let u=n[a];if(u===void 0)continue;let d=rn(
JSON.stringify(a),r);o.push(`${d}:${sn(u,/^[\w$]{1,40}$/.test(a)?`${e}.${a}`:`${e}[…]`,t+1,r)}`)}return`{${o.join(",")}\
}`}i(sn,"jsonOf");function rn(n,e){if(e.left-=n.length+1,e.left>=0)return n;let{what:t,most:r}=e,s=`\`${t}\` must have at\
 most ${r} characters of JSON: keep what is larger yourself, under the sub-agent's id`;throw new g("invalid_argument",s,
{argument:t,limit:r})}i(rn,"spent");function lt(n,e){if(e===void 0)return;if(e===!1)return{max:0};let{max:t,backoffMs:r,on:s,...o}=R(`\`${n}\``,e);G(n,o,["m\
ax","backoffMs","on"]);let a=N(`\`${n}.max\``,t);if(a===void 0)throw b(`\`${n}.max\``,"a whole number of at least 1, or \
Infinity",t);let u={max:a};if(r!==void 0){if(typeof r!="number"||!(r>0)||!Number.isFinite(r))throw b(`\`${n}.backoffMs\``,
"milliseconds above 0",r);u.backoffMs=Math.max(1,Math.round(r))}if(s!==void 0){let d=`a list of ${it.join(", ")}`;if(u.on=
F(`\`${n}.on\``,d,s,(l,c)=>{if(!it.includes(l))throw b(c,`one of ${it.join(", ")}`,l);return l}),u.on.length===0)throw b(
`\`${n}.on\``,d,s)}return u}i(lt,"readRetry");var Oo=new Set(["$schema","$id","$comment","$defs","definitions","title","description","default","examples","deprecated",
"readOnly","writeOnly","format"]),on={string:i(n=>typeof n=="string","string"),number:i(n=>typeof n=="number","number"),
integer:i(n=>Number.isInteger(n),"integer"),boolean:i(n=>typeof n=="boolean","boolean"),null:i(n=>n===null,"null"),array:i(
n=>Array.isArray(n),"array"),object:$};function Rr(n){return new ln(n).read(n,"")}i(Rr,"readJsonSchema");var ln=class{static{
i(this,"Reader")}#e;#t=new Map;constructor(e){this.#e=e}read(e,t){if(e===!0)return()=>{};if(e===!1)return(a,u)=>`${u} mu\
st not be there`;if(!$(e))throw K(t,`must be an object or a boolean, got ${k(e)}`);let r=this.#t.get(e);if(r!==void 0)return r;
let s=[],o=i((a,u)=>{for(let d of s){let l=d(a,u);if(l!==void 0)return l}},"check");this.#t.set(e,o);for(let a of Object.
keys(e)){if(Oo.has(a))continue;let u=Object.hasOwn(cn,a)?cn[a]:void 0;if(u===void 0)throw K(t,`has \`${a}\`, which is not\
 checked here; it may have ${Eo}`);s.push(u({reader:this,schema:e,place:`${t}/${a}`,given:e[a]}))}return o}find(e,t){if(e===
"#")return this.#e;if(!e.startsWith("#/"))throw K(t,`refers to ${k(e)}; only references within the schema are read`);let r=this.#e;
for(let s of e.slice(2).split("/")){let o=s.replaceAll("~1","/").replaceAll("~0","~");r=$(r)&&Object.hasOwn(r,o)?r[o]:void 0}
if(r===void 0)throw K(t,`refers to ${k(e)}, which is not there`);return r}};function K(n,e){let t=n===""?"`schema`":`\`sc\
hema\` at ${n}`;return new g("invalid_argument",`${t} ${e}`,{argument:"schema"})}i(K,"refused");function $(n){return typeof n==
"object"&&n!==null&&!Array.isArray(n)}i($,"isObject");function D({given:n,place:e},t=Number.NEGATIVE_INFINITY){if(typeof n==
"number"&&n>=t)return n;throw K(e,`must be a number${t===0?" of at least 0":""}, got ${k(n)}`)}i(D,"number");function Ie({
given:n,place:e}){if(Array.isArray(n)&&n.length>0)return n;throw K(e,`must be a list that is not empty, got ${k(n)}`)}i(
Ie,"list");function Ro({given:n,place:e}){if($(n))return n;throw K(e,`must be an object, got ${k(n)}`)}i(Ro,"object");var _e=i(
(n,e)=>(t,r)=>typeof t=="number"&&!n(t)?`${r} must be ${e}`:void 0,"ofNumbers"),an=i((n,e)=>(t,r)=>typeof t=="string"&&!n(
t)?`${r} must have ${e}`:void 0,"ofTexts"),un=i((n,e)=>(t,r)=>Array.isArray(t)&&!n(t)?`${r} must have ${e}`:void 0,"ofLi\
sts");function ct(n,e){if(Object.is(n,e)||n===e)return!0;if(Array.isArray(n)&&Array.isArray(e))return n.length===e.length&&
n.every((s,o)=>ct(s,e[o]));if(!$(n)||!$(e))return!1;let[t,r]=[Object.keys(n),Object.keys(e)];return t.length===r.length&&
t.every(s=>Object.hasOwn(e,s)&&ct(n[s],e[s]))}i(ct,"same");function jo(n){return JSON.stringify(n,(e,t)=>$(t)?Object.fromEntries(
Object.entries(t).sort(([r],[s])=>r<s?-1:1)):t)}i(jo,"canonical");var Or=i(n=>[...n].length,"points"),dn=i((n,e)=>/^[A-Za-z_$][\w$]*$/.
test(e)?`${n}.${e}`:`${n}[${JSON.stringify(e)}]`,"field"),cn={type({given:n,place:e}){let t=Array.isArray(n)?n:[n],r=t.map(
o=>typeof o=="string"&&Object.hasOwn(on,o)?on[o]:void 0);if(r.length===0||r.includes(void 0))throw K(e,`must be ${Object.
keys(on).join(", ")}, or a list of these; got ${k(n)}`);let s=t.join(" or ");return(o,a)=>r.some(u=>u?.(o))?void 0:`${a}\
 must be of the type ${s}, got ${k(o)}`},enum(n){let e=Ie(n);return(t,r)=>e.some(s=>ct(s,t))?void 0:`${r} must be one of\
 ${JSON.stringify(e)}`},const({given:n}){return(e,t)=>ct(n,e)?void 0:`${t} must be ${JSON.stringify(n)}`},properties(n){
let e=Object.entries(Ro(n)).map(([t,r])=>[t,n.reader.read(r,`${n.place}/${t}`)]);return(t,r)=>{if($(t))for(let[s,o]of e){
let a=Object.hasOwn(t,s)?o(t[s],dn(r,s)):void 0;if(a!==void 0)return a}}},required({given:n,place:e}){if(!Array.isArray(
n)||!n.every(r=>typeof r=="string"))throw K(e,"must be a list of names");let t=n;return(r,s)=>{let o=$(r)?t.find(a=>!Object.
hasOwn(r,a)):void 0;return o===void 0?void 0:`${dn(s,o)} is missing`}},additionalProperties({reader:n,schema:e,given:t,place:r}){
let s=new Set($(e.properties)?Object.keys(e.properties):[]),o=n.read(t,r);return(a,u)=>{if($(a))for(let d of Object.keys(
a)){let l=s.has(d)?void 0:o(a[d],dn(u,d));if(l!==void 0)return l}}},minProperties:i(n=>{let e=D(n,0);return(t,r)=>$(t)&&
Object.keys(t).length<e?`${r} must have at least ${e} fields`:void 0},"minProperties"),maxProperties:i(n=>{let e=D(n,0);
return(t,r)=>$(t)&&Object.keys(t).length>e?`${r} must have at most ${e} fields`:void 0},"maxProperties"),items({reader:n,
schema:e,given:t,place:r}){let s=Array.isArray(e.prefixItems)?e.prefixItems.length:0,o=n.read(t,r);return(a,u)=>{if(Array.
isArray(a))for(let d=s;d<a.length;d+=1){let l=o(a[d],`${u}[${d}]`);if(l!==void 0)return l}}},prefixItems(n){let e=Ie(n).
map((t,r)=>n.reader.read(t,`${n.place}/${r}`));return(t,r)=>{if(Array.isArray(t))for(let[s,o]of e.entries()){let a=s<t.length?
o(t[s],`${r}[${s}]`):void 0;if(a!==void 0)return a}}},minItems:i(n=>{let e=D(n,0);return un(t=>t.length>=e,`at least ${e}\
 entries`)},"minItems"),maxItems:i(n=>{let e=D(n,0);return un(t=>t.length<=e,`at most ${e} entries`)},"maxItems"),uniqueItems:i(
({given:n})=>un(e=>n!==!0||new Set(e.map(jo)).size===e.length,"no entry twice"),"uniqueItems"),minimum:i(n=>{let e=D(n);
return _e(t=>t>=e,`at least ${e}`)},"minimum"),maximum:i(n=>{let e=D(n);return _e(t=>t<=e,`at most ${e}`)},"maximum"),exclusiveMinimum:i(
n=>{let e=D(n);return _e(t=>t>e,`more than ${e}`)},"exclusiveMinimum"),exclusiveMaximum:i(n=>{let e=D(n);return _e(t=>t<
e,`less than ${e}`)},"exclusiveMaximum"),multipleOf:i(n=>{let e=D(n);if(e<=0)throw K(n.place,"must be above 0");return _e(
i(r=>Math.abs(r/e-Math.round(r/e))<1e-9,"isWhole"),`a multiple of ${e}`)},"multipleOf"),minLength:i(n=>{let e=D(n,0);return an(
t=>Or(t)>=e,`at least ${e} characters`)},"minLength"),maxLength:i(n=>{let e=D(n,0);return an(t=>Or(t)<=e,`at most ${e} c\
haracters`)},"maxLength"),pattern({given:n,place:e}){let t;try{t=new RegExp(n,"u")}catch(r){throw K(e,`is no regular exp\
ression: ${r.message}`)}return an(r=>t.test(r),`the pattern ${t.source}`)},allOf(n){let e=Ie(n).map((t,r)=>n.reader.read(
t,`${n.place}/${r}`));return(t,r)=>e.reduce((s,o)=>s??o(t,r),void 0)},anyOf(n){let e=Ie(n).map((t,r)=>n.reader.read(t,`${n.
place}/${r}`));return(t,r)=>{let s=e.map(o=>o(t,r));return s.includes(void 0)?void 0:`${r} fits none of the alternatives\
: ${s.join("; ")}`}},oneOf(n){let e=Ie(n).map((t,r)=>n.reader.read(t,`${n.place}/${r}`));return(t,r)=>{let s=e.map(a=>a(
t,r)),o=s.filter(a=>a===void 0).length;if(o!==1)return o>1?`${r} fits ${o} alternatives, not one`:`${r} fits none of the\
 alternatives: ${s.join("; ")}`}},not({reader:n,given:e,place:t}){let r=n.read(e,t);return(s,o)=>r(s,o)===void 0?`${o} m\
ust not be as it is`:void 0},$ref({reader:n,given:e,place:t}){if(typeof e!="string")throw K(t,`must be a text, got ${k(e)}`);
return n.read(n.find(e,t),e)}},Po=Object.keys(cn),Eo=Po.join(", ");function jr(n){if(n===void 0)return;if((typeof n=="object"&&n!==null||typeof n=="function")&&"~standard"in n)return Io(n);
if(typeof n!="object"||n===null||Array.isArray(n))throw b("`schema`","a Standard Schema or a JSON Schema object",n);let t=Rr(
n);return{schema:n,check(r,s){if(r===void 0)return Pr;let o=Er(r,s);if("wrong"in o)return o;let a=JSON.parse(o.json);try{
let u=t(a,"value");return u===void 0?{value:a,json:o.json}:{wrong:u}}catch(u){return{wrong:`the schema failed: ${A(u)}`}}}}}
i(jr,"readSchema");var Pr={wrong:"the result has no `value`, and its `schema` asks for one"};function Io(n){let e=n["~st\
andard"],{validate:t}=typeof e=="object"&&e!==null?e:{};if(typeof t!="function")throw b("`schema`","a Standard Schema wi\
th `validate`",n);return{schema:n,check(r,s){if(r===void 0)return Pr;let o=i(u=>({wrong:`the schema failed: ${A(u)}`}),"\
failed"),a=i(u=>{try{return _o(u,s)}catch(d){return o(d)}},"judge");try{let u=t(r);return typeof u=="object"&&u!==null&&
typeof u.then=="function"?Promise.resolve(u).then(a,o):a(u)}catch(u){return o(u)}}}}i(Io,"readStandard");function _o(n,e){
if(typeof n!="object"||n===null)return{wrong:`the schema failed: it answered ${k(n)}`};if(n.issues!==void 0)return{wrong:n.
issues.map(Co).join("; ")||"the schema refused the value"};let t=Er(n.value,e);return"wrong"in t?t:{value:n.value,json:t.
json}}i(_o,"judged");function Co({message:n,path:e=[]}){return`value${e.map(r=>typeof r=="object"?r.key:r).map(String).map(
r=>/^\d+$/.test(r)?`[${r}]`:`.${r}`).join("")}: ${n}`}i(Co,"sayIssue");function Er(n,e){let t=`as JSON, and \`maxResultBy\
tes\` allows ${e}`,r=Math.max(e,C),s;try{s=et(n,r,`it has more than ${r} bytes ${t}`)}catch(a){return{wrong:`value is no\
 JSON: ${A(a)}`}}if(s===void 0)return{wrong:`value is no JSON: ${k(n)}`};let o=s.length*3<=e?s.length:new TextEncoder().
encode(s).length;return o>e?{wrong:`value has ${o} bytes ${t}`}:{json:s}}i(Er,"store");function ft(n){return n.staged??=Fr({}),n.staged}i(ft,"stagedBy");var No=["instructions","goal","message","task","taskDe\
scription","task_description"],Ir=(()=>{let n=oe.flatMap(({name:e,alias:t})=>t===void 0?[e]:[e,t]);return new Set([...n,
"idempotencyKey","origin","format"])})(),_r=new Set(["instructions","goal","message","task","taskDescription","task_desc\
ription","maxCost","budget","signal","schema"]);function Ce(n,e,t=!1){try{return $o(n,e,t)}catch(r){throw Vt("the option\
s of spawn",r)}}i(Ce,"readSpawn");function $o(n,e,t){let s=typeof n=="object"&&n!==null&&Object.getPrototypeOf(n)===Object.
prototype?n:R("the options of spawn",n),o={text:void 0,renamed:!1,background:!1,manual:!1,answers:0,tokens:Number.NaN,cost:Number.
NaN,turns:Number.NaN,staged:void 0,asked:void 0,signal:void 0,schema:void 0,watch:void 0},a,u=!1;for(let d of Object.getOwnPropertyNames(
s))if(d==="instructions")o.text=Kr(s,d,o.text);else if(Ir.has(d))a??={__proto__:null},a[d]=s[d];else if(d==="background"){
let{background:l}=s;if(l!==void 0&&typeof l!="boolean")throw b("`background`","a boolean",l);o.background=l===!0,u=l!==void 0}else if(_r.
has(d))Do(o,s,d);else if(Object.prototype.propertyIsEnumerable.call(s,d))throw Oe("spawn",d,[...Ir,..._r,"background"]);
if(Number.isNaN(o.cost)||(o.asked=Cr(o,s)),a!==void 0||t&&!Number.isNaN(o.cost)){if(o.staged=Fr(a??{}),o.asked=Cr(o,s),t&&
Mo(o,o.staged),o.staged.idempotencyKey!==void 0&&(o.staged.parameters=Ko(o)),e?.agents.fill(o,o.staged,u),o.staged.onParentEnd!==
void 0&&!o.background)throw new g("invalid_argument","`onParentEnd` is for `background: true`: others end with their cal\
ler",{argument:"onParentEnd"});o.staged.profile!==void 0&&e?.profiles.check(o.staged.profile)}return o}i($o,"read");function Cr({
staged:n,cost:e},t){return{tools:n?.tools,maxTurns:Object.hasOwn(t,"maxTurns")?n?.maxTurns:void 0,maxCost:Object.hasOwn(
t,"maxCost")&&!Number.isNaN(e)?e:void 0}}i(Cr,"askedOf");function Mo(n,e){e.wishedTurns=e.maxTurns,e.maxTurns=void 0,!Number.
isNaN(n.cost)&&(e.wishedCost=n.cost,n.cost=Number.NaN)}i(Mo,"wish");function Ko({signal:n,renamed:e,asked:t,schema:r,staged:s,
...o}){let{idempotencyKey:a,metadata:u,...d}=s;return JSON.stringify({...o,...d,...r&&{schema:!0}},(l,c)=>typeof c=="num\
ber"?`${c}`:c)}i(Ko,"parametersOf");function Kr(n,e,t){let r=n[e];if(r===void 0)return t;let s=Jt(r)?r:E(`\`${e}\``,r);if(t!==
void 0)throw Nr(e,`says the same as another option: give one of ${No.join(", ")}`);if(Fo(s))throw Nr(e,"must not be empt\
y");return Z(s)}i(Kr,"readText");function Nr(n,e){return new g("invalid_argument",`\`${n}\` ${e}`,{argument:n})}i(Nr,"wr\
ongText");function Fo(n){let e=n.charCodeAt(0);return!(e>32&&e<127)&&n.trim()===""}i(Fo,"isBlank");function Do(n,e,t){switch(t){case"\
maxCost":{let r=me("`maxCost`",e.maxCost);r!==void 0&&(n.cost=$r(n.cost,r,"maxCost"));return}case"budget":{let r=Pe("bud\
get",e.budget);r.tokens!==void 0&&(n.tokens=r.tokens),r.costUsd!==void 0&&(n.cost=$r(n.cost,r.costUsd,"budget.costUsd")),
r.turns!==void 0&&(n.turns=r.turns);return}case"schema":{n.schema=jr(e.schema);return}case"signal":{n.signal=Ye("`signal\
`",e.signal);return}default:{let r=Kr(e,t,n.text);n.renamed||=r!==n.text,n.text=r}}}i(Do,"readOther");function $r(n,e,t){
if(!Number.isNaN(n))throw X("`maxCost` and `budget.costUsd`",t);return e}i($r,"only");function Fr(n){let e=Object.create(
null);for(let{name:t,alias:r,staged:s,kind:o}of oe){let a=Mr(o,t,n[t]),u=r===void 0?void 0:Mr(o,r,n[r]);if(a!==void 0&&u!==
void 0)throw X(`\`${t}\` and \`${r}\``,r);a??=u,a!==void 0&&(e[s]=a)}return n.idempotencyKey!==void 0&&(e.idempotencyKey=
Xe("`idempotencyKey`",n.idempotencyKey)),n.origin!==void 0&&Object.assign(e,Lo(n.origin)),Uo(n.format)==="json"&&(e.json=
!0),e}i(Fr,"readStaged");function Mr(n,e,t){if(t===void 0)return;let r=`\`${e}\``;switch(n){case"text":return J(r,t);case"\
label":return J(r,t)?.trim()===""?void 0:t;case"name":return Xe(r,t);case"reference":return t===null?void 0:Xe(r,t);case"\
texts":return Q(r,t);case"count":return N(r,t);case"dollars":return me(r,t);case"duration":return Qe(r,t);case"integer":
return nr(r,t);case"onParentEnd":if(!Ee.includes(t))throw b(r,`one of ${Ee.join(", ")}`,t);return t;case"retry":return lt(
e,t);case"metadata":return vr(e,t);default:return n}}i(Mr,"readPassed");function Lo(n){let e=R("`origin`",n,"an object w\
ith channel and chatId"),{channel:t,chatId:r,...s}=e;if(G("origin",s,["channel","chatId"]),t!==void 0&&(typeof t!="strin\
g"||t===""||t.includes(":")))throw b("`origin.channel`","a text without a colon",t);if(r!==void 0&&(typeof r!="string"||
r===""))throw b("`origin.chatId`","a text",r);return{originChannel:J("`origin.channel`",t),originChatId:J("`origin.chatI\
d`",r)}}i(Lo,"originOf");function Uo(n){if(n===void 0||n==="text"||n==="json")return n;throw b("`format`","'text' or 'js\
on'",n)}i(Uo,"formatOf");var Dr={description:!0,prompt:!0,model:!0,disallowedTools:!0},ye=class{static{i(this,"Agents")}#e=new Map;constructor(e){
if(e!==void 0)for(let[t,r]of Object.entries(R("`agents`",e,"an object of definitions")))this.#e.set(t,O(`\`agents.${t}\``,
()=>Bo(t,r)))}get names(){return[...this.#e.keys()]}get descriptions(){return[...this.#e].map(([e,{description:t}])=>`- ${e}\
: ${t}`).join(`
`)}checkProfiles(e){for(let{staged:t}of this.#e.values())t.profile!==void 0&&e.check(t.profile)}fill(e,t,r){let{sourceAgentId:s}=t;
if(s===void 0)return;let o=this.#e.get(s);if(o===void 0){let{names:d}=this,l=d.length===0?"none is defined":`there are ${d.
join(", ")}`;throw new g("unknown_agent",`there is no agent called ${k(s)}; ${l}`,{agent:s,known:d})}let{request:a,staged:u}=o;
Number.isNaN(e.tokens)&&(e.tokens=a.tokens),Number.isNaN(e.cost)&&(e.cost=a.cost),Number.isNaN(e.turns)&&(e.turns=a.turns),
r||(e.background=a.background),e.schema??=a.schema;for(let d of Object.keys(u))t[d]===void 0&&(t[d]=u[d])}};function Bo(n,e){
if(n==="")throw new g("invalid_argument","the name of an agent must not be empty");pe("the name of an agent",n);let t=R(
`\`agents.${n}\``,e),{description:r,prompt:s,model:o,disallowedTools:a}=t;if(typeof r!="string"||r.trim()==="")throw b(`\
\`agents.${n}.description\``,"a text",r);let u=Object.entries(t).filter(([c])=>!Object.hasOwn(Dr,c)),d=u.find(([c])=>!Lr.
has(c))?.[0];if(d!==void 0)throw Re(`an agent has no \`${d}\`: \`agents.${n}\``,d,[...Lr,...Object.keys(Dr)],{argument:`\
agents.${n}.${d}`});let l=Object.fromEntries(u);s!==void 0&&(l.systemPrompt=s),o!==void 0&&o!=="inherit"&&(l.modelId=o),
l.agent=n;try{let c=Ce(l),f=c.staged;return a!==void 0&&(f.disallowedTools=Q("`disallowedTools`",a)),{description:r.trim(),
request:c,staged:f}}catch(c){let{code:f,message:p,details:m}=c;throw new g(f,`agents.${n}: ${p}`,{...m})}}i(Bo,"read");var Lr=(()=>{
let n=oe.filter(({isDefined:e})=>e).map(({name:e})=>e);return new Set([...n,"background","budget","maxCost","schema"])})();var Ne={maxConcurrent:3,maxQueued:1e5,maxDepth:1,maxChildren:32,maxTasks:1e5,retain:1e3,maxSessions:1e4,maxAbandoned:16,
maxLost:5,maxTurns:20,turnEstimate:2e3,turnEstimateUsd:.25,wrapUpTokens:1e3,timeoutMs:18e5,graceMs:1e4,idleTimeoutMs:3e5,
abandonMs:6e4,askTimeoutMs:6e5,maxMessages:20,maxResultBytes:1048576,inlineBytes:16384,maxSummaryTokens:2e3,approvalTimeoutMs:6e5,
ageingMs:1e4,idempotencyTtlMs:864e5,maxIdempotencyKeys:1e5,staggerMs:0,maxCooldownMs:36e5,maxCooldowns:1e3,leaseMs:6e4,maxDeliveries:5,
maxNotices:1e5,maxInjected:32};var Ur;function M(n,e){Ur??=new Map(Object.keys(Ne).map((r,s)=>[r,s]));let t=Ur.get(e);return n.call(r=>r.limit(t))}i(M,
"limitOf");var pt={maxSubAgentSteps:"maxTurns"},Br=[...Object.keys(Ne),...Object.keys(pt),"budget","totalTokenBudget","taskBudget",
"onLimit"];function Wo(n){let e=Object.keys(pt).filter(t=>pt[t]===n);return[n,...e].map(t=>`\`${t}\``).join(", ")}i(Wo,"\
namesOf");var mt=class{static{i(this,"Bounds")}#e=!1;#t=new Map;#n={};#r;#s;#o;take(e,t){let r=pt[e]??e;if(e==="budget")
this.#n=Pe(e,t);else if(e==="totalTokenBudget")this.#r=N("`totalTokenBudget`",t);else if(e==="taskBudget")this.#s=Pe(e,t);else if(e===
"onLimit"){if(t!=="queue"&&t!=="reject")throw b("`onLimit`","'queue' or 'reject'",t);this.#o=t}else if(Object.hasOwn(Ne,
r))this.#i(e,r,t);else return!1;return this.#e=!0,!0}#i(e,t,r){if(typeof r!="number")throw b(`\`${e}\``,"a number",r);if(e!==
t&&N(`\`${e}\``,r),this.#t.has(t))throw new g("invalid_argument",`\`${t}\` and its alias say the same: give one of ${Wo(
t)}`,{argument:e});this.#t.set(t,r)}apply(e,t={}){if(!this.#e&&Object.keys(t).length===0)return;let r=this.#n;if(this.#r!==
void 0){if(r.tokens!==void 0)throw X("`totalTokenBudget` and `budget.tokens`","totalTokenBudget");r={...r,tokens:this.#r}}
let s={budget:r,taskBudget:this.#s,onLimit:this.#o},o={...t,limits:[...this.#t],...s};if(!e.call(a=>a.configure(h(),o)))
throw this.#a(e.refusal());e.carryOut(),e.expectSound()}#a(e){let{code:t,message:r,details:s}=e,o=[...this.#t].find(([a])=>r.
startsWith(`\`${a}\``));return o===void 0?e:new g(t,`${r}, got ${k(o[1])}`,{...s})}};var fn="minimal";function Go(n){return["You are a sub-agent: another agent gave you one task, and you see nothing else o\
f its work.","- Work on this task and on nothing else.","- You can not send messages to the user or ask them anything.",
...n?[]:["- You can not start sub-agents."],"- End with a clear and concise summary of what you did and what you found. \
It is all that the other agent gets."].join(`
`)}i(Go,"minimal");var ke=class{static{i(this,"Profiles")}#e=new Map([[fn,(e,t)=>Go(t)]]);constructor(e){if(e!==void 0)for(let[
t,r]of Object.entries(R("`profiles`",e,"an object of functions"))){if(pe("the name of a profile",t),typeof r!="function")
throw b(`\`profiles.${t}\``,"a function that makes a system prompt",r);this.#e.set(t,s=>r(s()))}}get names(){return[...this.#e.
keys()]}check(e){if(this.#e.has(e))return;let t=[...this.#e.keys()];throw new g("unknown_profile",`there is no profile c\
alled ${k(e)}; there are ${t.join(", ")}`,{profile:e,known:t})}prompt(e,t,r){this.check(e);let s;try{s=this.#e.get(e)?.(
t,r)}catch(o){throw new g("invalid_argument",`the profile ${k(e)} failed: ${A(o)}`,{},{cause:o})}if(typeof s!="string")throw b(
`what the profile ${k(e)} returns`,"a string",s);return s}};var Wr=512,Gr=1024;function ht(n){let e=n%Wr;return{turn:Math.floor(n/Gr),injects:n%Gr>=Wr,wrapUp:e===0?void 0:T[e-1]}}i(
ht,"turnOf");function gt(n,e,t){let r=i(s=>!e||n.unknown.includes(s)||n.invalid.includes(s)?null:n[s],"known");return{tokens:r("token\
s"),costUsd:r("costUsd"),turns:r("turns"),durationMs:e?t:null}}i(gt,"figuresOf");function Jr(n,e,t){let{actor:r,runtime:s}=n,o=n.policing(),a=n.isMain?void 0:s.lookup.snapshot(r.slot,r.generation),u=a===
void 0?Vr:gt(a.usage,a.startedAt!==null,a.durationMs);return{taskId:a?.taskId??null,status:e,reason:t,partial:!0,output:qr(
s,a?.output??""),error:null,stats:pn(o,{...u,turns:o?.turns??null}),todos:je(o?.todos??""),recentMessages:[...n.messages]}}
i(Jr,"reportOf");function Hr(n,e,t,r){let s=t.call(o=>o.policing(r.slot,r.generation));return{taskId:n.taskId,status:n.status,
reason:n.stopReason,partial:n.partial,output:qr(t,Jo(n,e,t,r)),error:n.error??null,stats:pn(s,n.figures),todos:je(s?.todos??
""),recentMessages:[...e?.messages??[]]}}i(Hr,"reportOfResult");function we(n){return Ge(n)}i(we,"reportText");function bt(n,e,t){
return{taskId:n,status:e,reason:null,partial:!1,output:"",error:t,stats:pn(void 0,Vr),todos:[],recentMessages:[]}}i(bt,"\
reportOfNone");var Vr={tokens:null,costUsd:null,turns:null,durationMs:null};function pn(n,{tokens:e,costUsd:t,turns:r,durationMs:s}){
let{contextTokens:o=null,openTodos:a=0,counts:u=[]}=n??{};return{turns:r,tokens:e,costUsd:t,durationMs:s===null?null:Math.
round(s),contextTokens:o,openTodos:a,counts:Object.fromEntries(u)}}i(pn,"stats");function Jo(n,e,t,{slot:r,generation:s}){
let{output:o}=n,a=o===""?null:Ho(n,e,t,r,s);if(a===null||a!==o)return o;let u=mn(a);return u===void 0?o:u.output||(u.recentMessages.
at(-1)??"")}i(Jo,"outputOf");function Ho(n,e,t,r,s){if(e?.report!==void 0)return e.report;if(t.isClosed||t.call(u=>u.status(
r,s))<0)return null;let{run:o,report:a}=t.lookup.snapshot(r,s);return o===n.run?a:null}i(Ho,"madeByPolicy");function mn(n){
if(n.startsWith('{"taskId":'))try{let{output:e,recentMessages:t,stats:r,status:s}=JSON.parse(n);return typeof s=="string"&&
typeof e=="string"&&typeof r=="object"&&Array.isArray(t)?JSON.parse(n):void 0}catch{return}}i(mn,"readReport");function qr(n,e){
if(e==="")return"";let t=n.write(e);return n.call(r=>r.inline(t))}i(qr,"inlined");var Vo=10,qo=500,$e=class{static{i(this,"Agent")}runtime;actor;messages=[];blockedBecause=void 0;report=void 0;asksForTurn=!1;readPrompt;injected=[];waiting=0;pending=void 0;stopped=!1;constructor(e,t,r){
this.runtime=e,this.actor=t,this.readPrompt=r}get isMain(){return this.actor.run===0}get prompt(){return this.readPrompt()}say(e){
this.messages.push(ze(e,qo)),this.messages.length>Vo&&this.messages.shift()}inject(e){this.injected.push(e)}get hasInjected(){
return this.injected.length>0}takeInjected(){let e=this.injected;return this.injected=[],e}context(e,t){return Object.assign(
new hn(this,e),t)}policing(){let{slot:e,generation:t}=this.actor;return this.runtime.call(r=>r.policing(e,t))}count(e,t,r){
let{slot:s,generation:o,run:a}=this.actor,u=this.runtime.write(e);return this.runtime.act(d=>d.count(h(),s,o,a,u,t,r))}rule(e,{
answer:t,policy:r,text:s,reason:o}){if(this.runtime.isClosed)return!1;let{slot:a,generation:u,run:d}=this.actor;t==="blo\
ck"&&!e.endsWith("_tool")&&(this.blockedBecause??=s),t==="finish"&&(this.report=s);let l=this.runtime.write(r),c=this.runtime.
write(r+s)-l,[f,p,m]=[Zt.indexOf(e),en.indexOf(t),T.indexOf(o)];return this.runtime.act(w=>w.rule(h(),a,u,d,f,p,m,l,c))}wait(e){
if(e==="on_timeout")return()=>{};let{slot:t,generation:r,run:s}=this.actor,o=this.isMain?new le(()=>this.end("overdue")):
void 0;if(this.waiting+=1,o!==void 0){let a=this.runtime.isClosed?0:M(this.runtime,"approvalTimeoutMs");o.hold(!0),a!==Number.
POSITIVE_INFINITY&&o.set(h()+a)}else this.waiting===1&&!this.runtime.isClosed&&this.runtime.act(a=>a.awaitApproval(h(),t,
r,s));return()=>{this.waiting-=1,o?.stop(),!(this.waiting>0||this.isMain||this.runtime.isClosed||e==="before_start")&&this.
runtime.act(a=>a.approved(h(),t,r,s,!1))}}until(e){if(this.stopped)return Promise.resolve("stopped");this.pending??=new Set;
let{pending:t}=this;return new Promise(r=>{let s=i(o=>{t.delete(s),r(o)},"end");t.add(s),e.then(o=>s({value:o}),o=>s({error:o}))})}stop(){
this.stopped=!0,this.end("stopped")}overdue(){this.end("overdue")}end(e){if(this.pending!==void 0)for(let t of[...this.pending])
t(e)}},hn=class{static{i(this,"Context")}#e;#t;#n;constructor(e,t){this.#e=e,this.#t=t}get#r(){return this.#n??=this.#e.
policing(),this.#n}get agent(){return this.#e.isMain?"main":"sub"}get taskId(){let{slot:e,generation:t}=this.#e.actor;return this.#e.
isMain?null:this.#e.runtime.lookup.taskId(e,t)}get run(){return this.#e.actor.run}get prompt(){return this.#e.prompt}get turns(){
return this.#r?.turns??0}get contextTokens(){return this.#r?.contextTokens??void 0}get todos(){return je(this.#r?.todos??
"")}get openTodos(){return this.#r?.openTodos??0}get recentMessages(){return[...this.#e.messages]}count(e,t={}){let r=this.#e.
count(this.#t,e,t.openTodosOnly===!0);return r>0?"counted":r===0?"nothing_to_count":"exhausted"}report(e,t){return Jr(this.#e,
e,t)}};var Qr={before_spawn:"beforeSpawn",before_start:"beforeStart",before_turn:"beforeTurn",before_tool:"beforeTool",after_tool:"\
afterTool",before_end:"beforeEnd",on_timeout:"onTimeout"},gn=["blockedTools",...Object.values(Qr)],Zr=["name",...gn],Yr={
before_spawn:["inject","block","finish"],before_start:["inject","block","finish"],before_turn:["inject","block","finish"],
before_tool:["inject","block","finish"],after_tool:["inject","block","finish"],before_end:["inject","force_turn","block",
"finish"],on_timeout:["inject","finish"]},xe=class{static{i(this,"PolicyList")}blockedTools;#e=new Map;constructor(e,t){
let r=new Map,s=new Set;for(let{policy:o,place:a}of Yo(e,t)){let u=zo(o,a),d=(r.get(u)??0)+1;r.set(u,d),this.#t(o,a,d===
1?u:`${u}#${d}`);let l=Q(yt(a,"blockedTools"),bn(o,a,"blockedTools"));for(let c of l??[])s.add(c)}this.blockedTools=[...s]}#t(e,t,r){
let s=O(t,()=>Xo(e));if(s!==void 0)throw qe("a policy",s,Zr);if(!O(t,()=>gn.some(o=>o in e)))throw b(t,`a policy with at\
 least one of ${gn.join(", ")}`,e);for(let[o,a]of Object.entries(Qr)){let u=bn(e,t,a);if(u===void 0)continue;if(typeof u!=
"function")throw b(yt(t,a),"a function",u);let d=this.#e.get(o)??[];d.push({name:r,ask:i(l=>Reflect.apply(u,e,[l]),"ask")}),
this.#e.set(o,d)}}has(e){return this.#e.has(e)}ask(e,t,r){let s=this.#e.get(e)??[];for(let[o,a]of s.entries()){let u=zr(
a,t,r);if("later"in u)return e!=="before_spawn"?this.#n(e,t,r,o,u.later):(u.later.then(void 0,()=>{}),yn(e,t,a.name,new Error(
"it has to answer at once here, it returned a promise")));let d=Xr(e,t,a.name,u);if(d!==void 0)return d}}async#n(e,t,r,s,o){
let a=this.#e.get(e)??[],u=t.wait(e);try{let d=o;for(let l=s;l<a.length;l+=1){let c=a[l],f;if(d===void 0){let m=zr(c,t,r);
f="later"in m?await t.until(m.later):m}else f=await t.until(d),d=void 0;if(f==="stopped")return;let p=Xr(e,t,c.name,f===
"overdue"?{error:new Error("it took too long to answer")}:f);if(p!==void 0)return p}return}finally{u()}}};function Yo(n,e){
return e===void 0?[]:F(n,"a list of policies",e,(t,r)=>({policy:fe(r,t,"a policy"),place:r}))}i(Yo,"policiesOf");function yt(n,e){
return n.endsWith("`")?`${n.slice(0,-1)}.${e}\``:`\`${e}\` of ${n}`}i(yt,"within");function bn(n,e,t){return O(yt(e,t),()=>re(
n,t))}i(bn,"partOf");function zo(n,e){let t=bn(n,e,"name")??"policy";return Z(E(yt(e,"name"),t))}i(zo,"nameIn");function Xo(n){
let e=Object.getPrototypeOf(n),t=e===null||Object.getPrototypeOf(e)===null;return Object.keys(n).find(r=>!Zr.includes(r)&&
(t||/^(before|after|on)[A-Z]/.test(r)))}i(Xo,"strangerIn");function zr(n,e,t){try{let r=n.ask(e.context(n.name,t));return typeof r==
"object"&&r!==null&&typeof r.then=="function"?{later:new Promise(o=>o(r))}:{value:r}}catch(r){return{error:r}}}i(zr,"ans\
werOf");function Xr(n,e,t,r){if("error"in r)return yn(n,e,t,r.error);try{return Qo(n,t,r.value)}catch(s){return yn(n,e,t,
s)}}i(Xr,"judge");function yn(n,e,t,r){let s=`the policy ${t} failed: ${A(r)}`;if(n!=="after_tool"&&n!=="on_timeout")return{
answer:"block",policy:t,text:s,reason:"policy"};e.runtime.report(r)}i(yn,"failed");function Qo(n,e,t){if(t==null)return;
if(typeof t!="object")throw new Error(`it answered ${k(t)}`);let r=i(f=>re(t,f),"part"),[s,o,a,u,d="policy"]=["action","\
text","reason","report","stopReason"].map(r);if(s==="continue")return;let l=s;if(!Yr[n].includes(l))throw new Error(`it \
answered ${k(s)}, here it may answer ${["continue",...Yr[n]].join(", ")}`);let c={inject:o,force_turn:o??"Take another t\
urn before you end.",block:a,finish:u}[l];if(typeof c!="string")throw new Error(`it answered ${l} with ${k(c)} where a t\
ext belongs`);if(!T.includes(d))throw new Error(`it answered with the stop reason ${k(d)}`);return{answer:l,policy:e,text:Z(
E("what it says",c)),reason:d}}i(Qo,"read");var Se=class{static{i(this,"Gates")}sub;runtime;policies;limits;mains=new Map;constructor(e,t,r){this.runtime=e,this.sub=
new xe("`policies.subAgents`",t.subAgents),this.policies=new xe("`policies.main`",t.main),this.limits=r}sessionPolicies(e){
return e===void 0?this.policies:new xe("`policies`",e)}openSession(e,t,r){this.mains.set(e.slot,this.newMain(e,t,{...this.
limits,...r}))}main(e){let t=this.mains.get(e.slot);if(t?.agent.actor.generation===e.generation)return t;let r=this.newMain(
e,this.policies,this.limits);return t===void 0&&this.mains.set(e.slot,r),r}newMain(e,t,r){let o={agent:new $e(this.runtime,
e,()=>o.prompt),policies:t,limits:r,prompt:""};return o}agentOf(e){return e.agent??=new $e(this.runtime,e,()=>e.prompt()),
e.agent}listFor(e){return e.isMain?this.main(e.actor).policies:this.sub}close(){for(let{agent:e}of this.mains.values())e.
stop()}beforeSpawn(e,t,r){let s=e.run===0,o=s?this.main(e).policies:this.sub;if(!o.has("before_spawn"))return;let a=s?this.
main(e).agent:this.agentOf(e),u=o.ask("before_spawn",a,{task:t.text,params:r});if(u===void 0)return;a.rule("before_spawn",
u);let{answer:d,policy:l,text:c}=u;if(d==="inject"){let f=ft(t);f.contextHint=f.contextHint===void 0||f.contextHint===""?
c:`${f.contextHint}

${c}`;return}throw new g("policy_blocked",c,{policy:l,...d==="finish"&&{report:c}})}start(e,t){let r=this.agentOf(e),s=this.
sub.ask("before_start",r,{});if(s instanceof Promise){this.runtime.alone(s.then(o=>this.started(e,o,t)));return}this.decideStart(
e,s,t)}started(e,t,r){let{runtime:s}=this;if(s.isClosed||e.settled)return;let{slot:o,generation:a,run:u}=e,d=(t===void 0||
t.answer==="inject")&&!this.isStopping(e);e.starting=()=>this.decideStart(e,t,r),!(s.act(l=>l.approved(h(),o,a,u,d))===0&&
d)&&e.takeStart()?.()}decideStart(e,t,r){let s=this.agentOf(e);t!==void 0&&s.rule("before_start",t),t?.answer==="inject"&&
s.inject(t.text),this.runtime.onceKept(()=>{this.runtime.isClosed||e.settled||((t===void 0||t.answer==="inject")&&!this.
isStopping(e)?r():this.runtime.hosts.settle(e,be()))})}isStopping(e){let{slot:t,generation:r,run:s}=e;return!this.runtime.
call(o=>o.isOpen(t,r,s))||this.runtime.lookup.snapshot(t,r).cancelRequested}async beforeTurn(e,t){e.asksForTurn=!0;try{let r=await this.
listFor(e).ask("before_turn",e,{});if(this.runtime.check(),r!==void 0){let a=e.rule("before_turn",r);if(r.answer==="inje\
ct")e.inject(r.text);else if(a)return es(r)}let s=await t();if(!s.go)return s;let o=e.takeInjected();return o.length===0?
s:{...s,inject:[...s.inject??[],...o]}}finally{e.asksForTurn=!1}}async mainTurn(e,t){let{runtime:r}=this;r.check();let s=this.
main(e),{agent:o,policies:a}=s,{slot:u,generation:d}=e;if(o.asksForTurn)throw new g("invalid_argument","the last beforeT\
urn has not answered yet");if(t!==void 0&&(r.act(l=>l.endMain(h(),u,d)),s.prompt=t),(o.policing()?.turns??0)===0&&a.has(
"before_start")){o.asksForTurn=!0;let l=await a.ask("before_start",o,{});if(o.asksForTurn=!1,r.check(),l!==void 0){if(o.
rule("before_start",l),l.answer!=="inject")return es(l);o.inject(l.text)}}return this.beforeTurn(o,()=>this.takeMainTurn(
s))}async takeMainTurn(e){let{agent:t,policies:r,limits:s}=e,{slot:o,generation:a}=t.actor,{maxTurns:u=kn,maxContextTokens:d=kn,
timeoutMs:l=kn}=s,c=this.runtime.call(v=>v.beginMainTurn(h(),o,a,u,d,l));if(c===-1)throw this.runtime.refusal();if(c<0){
this.runtime.carryOut();let v=T[-2-c]??"policy";return v!=="policy"?{go:!1,reason:v}:{go:!1,reason:v,message:`the contex\
t has ${t.policing()?.contextTokens} tokens, the limit is ${d}`}}let{turn:f,injects:p,wrapUp:m}=ht(c),w=p?{inject:this.runtime.
call(v=>v.takeInject())}:void 0;if(this.runtime.carryOut(),m===void 0)return{go:!0,turn:f,...w};let y=await r.ask("on_ti\
meout",t,{reason:"timeout"}),x=y===void 0?void 0:this.timeoutAnswered(t,y);return{go:!0,turn:f,wrapUp:!0,reason:"timeout",
...w,...x!==void 0&&{report:x}}}async beforeTool(e,t,r){let{runtime:s}=this,{slot:o,generation:a,run:u}=e.actor;if(s.check(),
E("a tool's name",t)==="")throw b("a tool's name","a text that is not empty",t);if(!e.isMain){let f=s.write(t);if(!s.call(
p=>p.mayUse(o,a,u,f)))return this.toolRefused(e)}let d=this.listFor(e),l=d.has("before_tool")?await d.ask("before_tool",
e,{tool:t,args:r}):void 0;if(s.check(),l!==void 0){if(e.rule("before_tool",l),l.answer==="block")return{allowed:!1,reason:l.
text};if(l.answer==="finish")return{allowed:!1,reason:l.text,finished:!0}}let c=s.write(t);return s.call(f=>f.beginTool(
h(),o,a,u,c))?(s.carryOut(),l===void 0?{allowed:!0}:{allowed:!0,inject:[l.text]}):this.toolRefused(e)}toolRefused(e){let{
code:t,message:r}=this.runtime.refusal();return t==="tool_blocked"&&e.rule("before_tool",{answer:"block",policy:"tools",
text:r,reason:"policy"}),{allowed:!1,reason:r}}async afterTool(e,t,r){let{runtime:s}=this,{slot:o,generation:a,run:u}=e.
actor;if(s.check(),E("a tool's name",t)==="")throw b("a tool's name","a text that is not empty",t);let l=!e.isMain&&s.call(
m=>m.endTool(h(),o,a,u))?s.call(m=>m.takeInject()):[];s.carryOut();let c=this.listFor(e),f=c.has("after_tool")?await c.ask(
"after_tool",e,{tool:t,result:r}):void 0;f!==void 0&&(s.check(),e.rule("after_tool",f),f.answer==="inject"&&l.push(f.text));
let p=l.length===0?{}:{inject:l};return f?.answer==="block"?{withheld:!0,reason:f.text,...p}:f?.answer==="finish"?{withheld:!1,
finished:!0,...p}:{withheld:!1,...p}}async beforeEnd(e,t){let{runtime:r}=this;r.check(),E("`output`",t);let s=this.listFor(
e),o=s.has("before_end")?await s.ask("before_end",e,{output:t}):void 0;if(r.check(),o!==void 0&&(e.rule("before_end",o),
o.answer==="inject"||o.answer==="force_turn"))return{end:!1,inject:[o.text]};let{slot:a,generation:u}=e.actor;return e.isMain&&
r.act(d=>d.endMain(h(),a,u)),o===void 0?{end:!0,output:t}:o.answer==="finish"?{end:!0,output:o.text}:{end:!0,output:"",reason:o.
text}}timedOut(e,t){if(!this.sub.has("on_timeout"))return;let r=this.agentOf(e),s=this.sub.ask("on_timeout",r,{reason:t}),
o=i(a=>{a!==void 0&&this.timeoutAnswered(r,{...a,reason:t})},"answered");s instanceof Promise?this.runtime.alone(s.then(
o)):o(s)}timeoutAnswered(e,t){if(e.rule("on_timeout",t),t.answer==="finish")return t.text;e.inject(t.text)}},kn=Number.POSITIVE_INFINITY;
function es({answer:n,text:e,reason:t}){return n==="finish"?{go:!1,reason:t,report:e}:{go:!1,reason:t,message:e}}i(es,"r\
efusedTurn");function Zo(n){return O("a notice",()=>{let{origin:e,text:t,deliveryId:r}=fe("a notice",n);return{channel:"system",senderId:"\
subagent",chatId:`${e.channel}:${e.chatId}`,content:t,deliveryId:r}})}i(Zo,"toBusMessage");function ts(n,e,t){return({inbox:r})=>{
let s=r.lease();s.length!==0&&t(()=>{for(let o of s)i(async()=>{await n.publish(Zo(o)),r.ack(o.deliveryId)},"taken")().catch(
e)})}}i(ts,"publisher");function ns(n){let e=typeof n=="object"&&n!==null?n.publish:void 0;if(typeof e!="function")throw b(
"`bus`","an object with a function `publish`",n);return{publish:i(t=>e.call(n,t),"publish")}}i(ns,"busOf");function kt(n){return O("a task",()=>{let{label:e,taskId:t}=fe("a task",n);return`Subagent [${P(e,ne)}] started (id: ${P(
t)}). I'll notify you when it completes.`})}i(kt,"startedText");function wn(n){let{process:e,Deno:t,reportError:r,console:s}=globalThis;try{e===void 0&&t===void 0&&typeof r=="function"?
r(n):s?.error(n)}catch{}}i(wn,"logError");function xn(n,e){try{let t=n();ei(t)&&new Promise(r=>r(t)).catch(e)}catch(t){e(
t)}}i(xn,"notify");function ei(n){return typeof n=="object"&&n!==null&&typeof n.then=="function"}i(ei,"isThenable");function ve(n){return typeof WeakRef>"u"?{deref:i(()=>n,"deref")}:new WeakRef(n)}i(ve,"weakly");var Ae=class{static{i(this,
"Collected")}registry;constructor(e){this.registry=typeof FinalizationRegistry>"u"?void 0:new FinalizationRegistry(e)}watch(e,t){
this.registry?.register(e,t,e)}unwatch(e){this.registry?.unregister(e)}};var wt=class{static{i(this,"Door")}manager;constructor(e){this.manager=e}get runtime(){return this.manager}shut(){this.manager=
void 0}},Me=[],rs=[],Sn,ie;function ss(n,e,t){let r=rs.pop()??Me.length;return Me[r]=ve(e),Sn??=new Ae(({host:s,alarm:o})=>{
o.stop(),os(s)}),Sn.watch(n,{host:r,alarm:t}),r}i(ss,"attach");function An(n){Sn?.unwatch(n),n.door.shut(),os(n.host)}i(
An,"release");function os(n){Me[n]!==void 0&&(Me[n]=void 0,rs.push(n))}i(os,"detach");function U(n){let e=ie;return ie=n,
Gt(!0),e}i(U,"enter");function B(n){ie=n,n===void 0&&Gt(!1)}i(B,"leave");function is(){return ie!==void 0}i(is,"isInside");
function j(n){return ie!==void 0&&ie.host===n?ie:Me[n]?.deref()?.runtime}i(j,"find");function gl(n,e,t,r,s){j(n)?.runs.startRun(
e,t,r,s)}i(gl,"startRun");function bl(n,e,t,r,s){j(n)?.runs.runRetried(e,t,r,s)}i(bl,"runRetried");function yl(n,e,t,r,s){
j(n)?.runs.abortRun(e,t,r,s)}i(yl,"abortRun");function kl(n,e,t,r){j(n)?.runs.turnReady(e,t,r)}i(kl,"turnReady");function wl(n,e,t){
let r=j(n);r?.sessionData.taskForgotten(e,t),r?.contexts.taskForgotten(e,t),r?.signals.taskGone(e,t)}i(wl,"taskForgotten");
function xl(n,e,t){j(n)?.signals.taskGone(e,t)}i(xl,"taskClosed");function Sl(n,e,t){j(n)?.wakes.mark(e)}i(Sl,"wakeSessi\
on");function Al(n,e,t,r,s){j(n)?.runs.policiesDue(e,t,r,s)}i(Al,"policiesDue");function vl(n,e){j(n)?.startsStopped(e)}
i(vl,"startsStopped");function Tl(n,e){j(n)?.wakeAt(e)}i(Tl,"wakeAt");function Ol(n,e,t,r,s,o,a){j(n)?.runs.askDone(e,t,
r,s,o,a)}i(Ol,"askDone");function Rl(n,e,t,r){j(n)?.waits.done(e,t,r)}i(Rl,"waitDone");function jl(n,e,t,r,s,o,a,u,d,l,c,f,p,m,w){
let{runs:y}=j(n)??{};y?.runEnded(e,t,r,s,o,a,u,d,l,c,f,p,m,w)}i(jl,"runEnded");function Pl(n,e,t){j(n)?.listeners.facts(
e,t)}i(Pl,"facts");function El(n,e){let t=j(n);return t===void 0||t.consumerGate(e)}i(El,"consumerGate");function Il(n,e){
return j(n)?.makeTool(e)}i(Il,"makeTool");var _l=0,as=1,Cl=2;var xt=class{static{i(this,"Listeners")}listeners=new Set;reader=void 0;runtime;scratch;constructor(e,t){this.runtime=e,
this.scratch=t}get listening(){return this.reader!==void 0}subscribe(e,t){this.runtime.check();let r=this.runtime.call(o=>o.
factCount());this.listeners.size===0&&(this.runtime.journal?.gather(!1),this.reader=t(this.runtime,this.scratch,r),this.
runtime.call(o=>o.listen(!0)));let s={listener:ee(e),since:r};return this.listeners.add(s),()=>{this.listeners.delete(s),
this.listeners.size===0&&!this.runtime.isClosed&&(this.reader=void 0,this.runtime.journal===void 0?this.runtime.call(o=>o.
listen(!1)):this.runtime.journal.gather(!0))}}facts(e,t){let{journal:r}=this.runtime;if(r===void 0)this.hand(this.reader?.
read(e,t));else if(t===0)r.expect();else{let s=r.take(this.scratch.copy(e,t));r.isSync||this.tell(s)}}tell(e){this.hand(
this.reader?.readKept(e))}hand(e=[]){for(let t of e)for(let{listener:r,since:s}of this.listeners)t.seq>s&&this.runtime.tell(
()=>r(t))}clear(){this.listeners.clear(),this.reader=void 0}};var ti=200,ni=["disposed","internal","store_failed"],St=class{static{i(this,"Refusals")}listeners=new Set;runtime;constructor(e){
this.runtime=e}listen(e){let t={listener:ee(e)};return this.listeners.add(t),()=>{this.listeners.delete(t)}}tell(e,t,r,s){
let{runtime:o}=this;if(this.listeners.size===0||o.isClosed||!(s instanceof g)||ni.includes(s.code))return;let{slot:a,generation:u,
run:d}=t,l={seq:o.call(c=>c.factCount()),at:h(),operation:e,code:s.code,message:s.message,by:d===0?null:o.lookup.taskId(
a,u),sessionKey:o.lookup.sessionKey(a,u),label:r===null?null:Ze(r,ti)};for(let{listener:c}of this.listeners)o.tell(()=>c(
l))}clear(){this.listeners.clear()}};var Ke={slot:0,generation:0,run:0},us=4294967296;function ae(n){return n>>>0}i(ae,"slotOf");function vn(n){return Math.floor(
n/us)}i(vn,"generationOf");function W(n){return{slot:ae(n),generation:vn(n)}}i(W,"keyOf");function Fe({slot:n,generation:e}){
return e*us+n}i(Fe,"packed");var On=class{static{i(this,"Followed")}#e;#t=new Set;constructor(e){this.#e=e}#n=i(()=>{let e=[...this.#t];for(let t of e)
this.leave(t);for(let t of e)t.deref()?.fire()},"#fire");join(e){this.#t.add(e),this.#t.size===1&&this.#e.addEventListener(
"abort",this.#n,{once:!0})}leave(e){!this.#t.delete(e)||this.#t.size>0||(At.get(this.#e)===this&&At.delete(this.#e),this.#e.
removeEventListener("abort",this.#n))}},At=new WeakMap,Tn;function ri(n){n()}i(ri,"call");function ds(n,e){let t=At.get(
n);t===void 0&&(t=new On(n),At.set(n,t));let r=t;return r.join(e),()=>r.leave(e)}i(ds,"join");function Rn(n,e){let t={fire:e};
return ds(n,{deref:i(()=>t,"deref")})}i(Rn,"follow");var vt=class{static{i(this,"Signals")}#e=new Map;#t=new Map;follow(e,t){
let r={fire:t},s=ds(e,ve(r)),o=i(()=>{this.#e.delete(o),Tn?.unwatch(r),s()},"end");return this.#e.set(o,r),Tn??=new Ae(ri),
Tn.watch(r,s),o}keepIdle(e,t){let{runtime:r,slot:s,generation:o}=e,a=this.follow(t,()=>cs(e));e.unfollow?.(),e.unfollow=
a,r.call(d=>d.tellForgotten()),this.#t.set(s,e);let u=r.call(d=>d.status(s,o));(u<0||V[u]==="closed")&&this.taskGone(s,o)}taskGone(e,t){
if(this.#t.size===0)return;let r=this.#t.get(e);r?.generation===t&&(this.#t.delete(e),r.unfollow?.())}clear(){for(let e of[
...this.#e.keys()])e();for(let e of this.#t.values())e.unfollow?.();this.#t.clear()}};function ls(n,e){let t=Rn(e,()=>{n.
slot===0?n.abortedEarly=!0:cs(n)});n.unfollow=()=>{n.unfollow=void 0,t()}}i(ls,"followSignal");function cs(n){let{runtime:e}=n;
if(!e.isClosed)try{e.waits.cancel(Ke,n.slot,n.generation,"signal_aborted").catch(()=>{})}catch{}}i(cs,"cancelLive");function ps(n,e,t,r){try{return si(n,e,t,r)}catch(s){throw n.refusals.tell("spawn",e,t.staged?.label??t.text??null,s),s}}
i(ps,"spawn");function si(n,e,t,r){n.check(),fs(n,e,t);let s=ai(t,r);if(n.seeded||li(n),n.functions.checkConsumerSpawn!==
void 0){let y=jn(n,s);if(y!==!0)throw new g("spawn_denied",y||"the host refused this spawn",{reason:y||null});n.check()}
n.gates.beforeSpawn(e,t,s),n.check(),fs(n,e,t);let{staged:o,text:a}=t;a!==void 0&&!t.manual&&ui(n,t.background);let u=new q(
n,s,t.asked);if(u.background=t.background,u.text=a,u.format=o?.json===!0?"json":"text",u.check=t.schema,t.watch!==void 0&&
(u.watch=t.watch),t.signal!==void 0&&(ls(u,t.signal),u.abortedEarly))throw ms(t.signal);if(o!==void 0&&!n.call(y=>y.stage(
o)))throw u.unfollow?.(),n.refusal();let d=a===void 0?0:n.write(a),l=o?.idempotencyKey===void 0?0:64,c=(t.background?1:0)|
(a===void 0?2:0)|(o===void 0?0:4)|(t.manual?8:0)|t.answers|l,f=U(n),p;try{p=n.core.begin(h(),e.slot,e.generation,e.run,c,
d,t.tokens,t.cost,t.turns)}catch(y){throw n.poison(y)}finally{B(f)}if(p===-1)throw u.unfollow?.(),n.refusal();let m=p<0?
ii(n,u,t,W(-2-p)):oi(n,u,t,p),w=n.contexts.enter(p<0?0:u.slot);return n.carryOut(),n.contexts.leave(w),n.expectSound(),n.
hosts.keepAwake(),m}i(si,"begin");function oi(n,e,{text:t,manual:r,schema:s,signal:o},a){return e.slot=ae(a),e.generation=
vn(a),s!==void 0&&n.sessionData.check(e.slot,e.generation,s),n.contexts.keep(e.slot,e.generation),t===void 0?o!==void 0&&
n.signals.keepIdle(e,o):r||(e.run=1,n.runs.keep(e)),e}i(oi,"admitted");function ii(n,e,t,r){return e.unfollow?.(),t.repeated=
!0,di(n,r)}i(ii,"repeated");function fs(n,{slot:e,generation:t,run:r},{signal:s,background:o}){if(s?.aborted===!0)throw ms(
s);r!==0&&n.ask(a=>a.mayStart(e,t,r,o))}i(fs,"expectNotStopped");function ms(n){return new g("aborted","the signal of th\
is spawn has fired already, so nothing was started",{},{cause:n.reason})}i(ms,"firedAlready");function ai({renamed:n,text:e},t){
return n?O("the options of spawn",()=>({...t,instructions:e})):t}i(ai,"paramsOf");function ui({functions:n},e){if(n.spawnSubAgent!==
void 0||e&&n.spawnBackgroundSubAgent!==void 0)return;let t="spawnSubAgent";throw new g("invalid_argument","the manager w\
as made without `spawnSubAgent`, so nothing can run a sub-agent",{argument:t})}i(ui,"checkHost");function di(n,{slot:e,generation:t}){
let r=n.runs.liveOf(e,t);if(r!==void 0)return r;let s=new q(n,void 0);return s.slot=e,s.generation=t,s.run=n.call(o=>o.lastRun(
e,t)),s}i(di,"lastRunOf");function jn(n,e){let t=n.functions.checkConsumerSpawn;if(t===void 0)return!0;try{let r=t(e);if(typeof r!=
"object"||r===null)return`checkConsumerSpawn must return { allowed }, it returned ${k(r)}`;let{allowed:s,reason:o}=r,[a,
u]=[z(r,"allowed",s),z(r,"reason",o)];return a===!0?!0:a===!1?typeof u=="string"&&u!==""?u:!1:typeof r.then=="function"?
(r.then(void 0,()=>{}),"checkConsumerSpawn must answer at once, it returned a promise"):`checkConsumerSpawn must return \
{ allowed: boolean }, allowed is ${k(a)}`}catch(r){return`checkConsumerSpawn failed: ${A(r)}`}}i(jn,"consumerGate");function li(n){
n.order(e=>e.seed(h())),n.seeded=!0}i(li,"seed");var ci=0x7375626167656e74n,fi=32n,bs=i(n=>BigInt.asUintN(64,n),"low64"),hs=i((n,e)=>bs(n<<e|n>>64n-e),"rotated");function gs(n,e,t){
let r=bs(hs(n,56n)+e)^t;return[r,hs(e,3n)^r]}i(gs,"mix");function ys([n=0n,e=0n],t,r){let[s,o]=[n,e],[a,u]=[ci,BigInt(r)<<
32n|BigInt(t)];for(let d=0n;d<fi;d+=1n)[a,u]=gs(a,u,o),[s,o]=gs(s,o,d);return`sub_${[a,u].map(d=>d.toString(16).padStart(
16,"0")).join("")}`}i(ys,"taskIdOf");var Tt=class{static{i(this,"Lookup")}sessions=new Map;runtime;constructor(e){this.runtime=e}resolve(e,t){if(this.runtime.
check(),typeof t!="string")throw b("a target","an id or a handle",t);let r=this.runtime.write(Ht(t)?t.slice(0,160):""),{
slot:s,generation:o,run:a}=e,u=this.runtime.call(d=>d.find(s,o,a,r));if(u<0){let d=this.runtime.refusal();if(d.code==="a\
mbiguous_nickname")throw d;let l=new g(d.code,`${d.message}: ${k(t)}`,{...d.details,taskId:t});throw Je(l,`${He(d)}: ${k(
t)}`)}return W(u)}nameOf(e,{nickname:t,taskId:r}){if(t===null)return r;let s=this.runtime.write(t),o=this.runtime.call(d=>d.
find(e.slot,e.generation,e.run,s));if(o<0)return r;let{slot:a,generation:u}=W(o);return this.taskId(a,u)===r?t:r}taskId(e,t){
let{idKey:r}=this.runtime;return r===void 0?this.runtime.call(s=>s.taskId(e,t)):ys(r,e,t)}snapshot(e,t){let r=this.runtime.
call(s=>s.get(e,t,h()));if(r===void 0)throw this.runtime.refusal();return Ot(r)}about(e,t){let r=this.runtime.call(u=>u.
get(e,t,h()));if(r===void 0)return;let{label:s,parentId:o,metadata:a}=Ot({...r,artifacts:null,value:null});return{label:s,
parentId:o,metadata:a,sessionKey:this.sessionKey(e,t)}}label(e,t){return this.runtime.call(r=>r.label(e,t))??null}sessionKey(e,t){
return this.runtime.call(r=>r.sessionKey(e,t))??null}brief(e,t){let r=this.runtime.call(c=>c.brief(e,t));if(r===void 0)throw this.
runtime.refusal();let[s,o,a="",u,d=fn,l]=r;return{depth:s,label:o,contextHint:a,systemPrompt:u,profile:d,modelId:l}}openSession(e){
this.runtime.check();let t=this.runtime.write(e),r=this.runtime.journal?.goesOn===!0?this.runtime.call(a=>a.registerSession(
h(),t)):-1,s=r>=0?r:this.runtime.call(a=>a.openSession(h(),t));if(s<0)throw this.runtime.refusal();this.runtime.carryOut();
let o={...W(s),run:0};return this.sessions.set(o.slot,o.generation),o}eventId(e,t){return this.sessions.get(e)===t?null:
this.runtime.call(r=>r.eventId(e,t))??null}};function Ot(n){let{artifacts:e,value:t,metadata:r}=n;return{...n,artifacts:e===
null?[]:JSON.parse(e),value:t===null?null:JSON.parse(t),metadata:Tr(r)}}i(Ot,"parseArtifacts");var ks=64,Rt=class{static{i(this,"RemoteRuns")}lives=new Map;named=new Map;early=new Map;ended=new Map;sweepAt=ks;runtime;constructor(e){
this.runtime=e}start(e,t){this.sweep(),this.list(e);let r;try{r=t(e.params(),e.handedRun())}catch(o){throw this.unlist(e),
o}let s=new Promise(o=>o(r));if(!this.isListed(e)){s.catch(()=>{});return}this.runtime.act(o=>o.startedElsewhere(h(),e.slot,
e.generation,e.run)),e.expectName(),this.runtime.alone(s.then(o=>this.started(e,o),o=>this.end(e,st(A(o),o))))}started(e,t){
let r=pi(t);if(typeof r!="string"||r===""){this.end(e,rt(`spawnBackgroundSubAgent must resolve to { taskId }, it resolve\
d to ${k(t)}`));return}if(e.hostTaskId=r,this.isListed(e)&&this.named.set(r,(this.named.get(r)??new Set).add(e)),e.named?.
resolve(),this.runtime.isClosed)return;let s=this.runtime.write(r);this.runtime.act(a=>a.nameElsewhere(h(),e.slot,e.generation,
e.run,s));let o=this.early.get(r);this.early.delete(r),o!==void 0?this.end(e,ge(o)):this.refuseEarly()}refuseEarly(){if(this.
early.size===0||this.isUnnamed())return;let e=[...this.early.keys()];this.early.clear();for(let t of e)this.runtime.report(
this.unknown(t))}isUnnamed(){return[...this.lives.values()].some(({hostTaskId:e})=>e===void 0)}report(e,t){if(typeof e!=
"string"||e==="")throw b("the id","a task id or the host's own id",e);let r=this.livesOf(e);if(r.length>1)throw new g("i\
nvalid_argument",`several sub-agents go by the host id ${k(e)}: report by task id`,{id:e});let[s]=r;if(s!==void 0){this.
end(s,ge(t));return}let o=this.endedBy(e);if(o!==void 0){let a=Object.assign(new q(this.runtime,void 0),o);this.runtime.
hosts.settle(a,ge(t));return}if(!this.isUnnamed())throw this.unknown(e);this.early.set(e,t)}livesOf(e){let t=[...this.named.
get(e)??[]],r=this.lives.get(this.placeOf(e));return r===void 0||t.includes(r)?t:[...t,r]}endedBy(e){let t=this.ended.get(
e)??this.ended.get(this.placeOf(e));return t!==void 0&&this.isKept(t)?t:void 0}placeOf(e){let t=this.runtime.write(e.slice(
0,160)),r=this.runtime.call(a=>a.find(0,0,0,t));if(r<0)return r;let{slot:s,generation:o}=W(r);return this.runtime.lookup.
taskId(s,o)===e?r:-2}isKept({slot:e,generation:t}){return this.runtime.call(r=>r.lastRun(e,t))>0}unknown(e){if(this.placeOf(
e)===-1){let t=this.runtime.refusal();if(t.code==="forgotten")return t}return new g("unknown_task",`no background sub-ag\
ent goes by ${k(e)}`,{id:e})}list(e){let t=Fe(e),r=this.lives.get(t);r!==void 0&&this.unlist(r)&&this.keepEnded(r),this.
lives.set(t,e)}isListed(e){return this.lives.get(Fe(e))===e}unlist(e){if(!this.isListed(e))return!1;this.lives.delete(Fe(
e));let{hostTaskId:t}=e;if(t!==void 0){let r=this.named.get(t);r?.delete(e),r?.size===0&&this.named.delete(t)}return!0}keepEnded({
slot:e,generation:t,run:r,hostTaskId:s}){let o={slot:e,generation:t,run:r};this.ended.set(Fe(o),o),s!==void 0&&this.ended.
set(s,o)}clear(){this.lives.clear(),this.named.clear(),this.early.clear(),this.ended.clear()}sweep(){if(!(this.lives.size+
this.ended.size<this.sweepAt)){for(let e of this.lives.values())this.runtime.call(t=>t.hasRun(e.slot,e.generation,e.run))||
(this.unlist(e),this.keepEnded(e));for(let[e,t]of this.ended)this.isKept(t)||this.ended.delete(e);this.sweepAt=Math.max(
ks,(this.lives.size+this.ended.size)*2)}}end(e,t){if(!this.unlist(e))return;this.keepEnded(e),this.refuseEarly();let{check:r}=e,
s={...t,hostTaskId:t.hostTaskId??e.hostTaskId};r===void 0?this.runtime.hosts.settle(e,s):this.runtime.hosts.settleChecked(
e,s,r)}};function pi(n){try{return n?.taskId}catch{return}}i(pi,"hostId");var jt=class{static{i(this,"HostCalls")}elsewhere;openHosts=0;runtime;scratch;alarm;constructor(e,t,r){this.runtime=e,this.
scratch=t,this.alarm=r,this.elsewhere=new Rt(e)}start(e){try{let{spawnSubAgent:t,spawnBackgroundSubAgent:r}=this.runtime.
functions;if(r!==void 0&&e.background){this.elsewhere.start(e,r);return}if(t===void 0)throw new Error("no spawnSubAgent \
was given to the manager");e.hostOpen=!0,this.openHosts+=1,this.alarm.hold(!0);let s=t(e.params(),e.handedRun());(mi(s)?
s:new Promise(a=>a(s))).then(a=>this.hostReturned(e,a),a=>this.hostThrew(e,a))}catch(t){this.hostThrew(e,t)}}settle(e,t){
if(e.settled||(this.runtime.runs.returned(e),this.hostIsOver(e),this.runtime.isClosed))return;e.returned=t;let r=U(this.
runtime);try{let{output:s,error:o,status:a,id:u,artifacts:d,value:l}=this.scratch.writeEnd(this.bounded(t));this.runtime.
core.settle(h(),e.slot,e.generation,e.run,t.how,s,o,a,u,d,l,t.tokens,t.cost,t.turns,t.durationMs)}catch(s){this.runtime.
poison(s)}finally{B(r)}for(let s of e.overWith??[])s();this.runtime.carryOut(),this.keepAwake()}settleManual(e,t,r){this.
runtime.check();let{output:s,error:o,artifacts:a}=this.runtime.call(()=>this.scratch.writeEnd(r));if(!this.runtime.call(
d=>d.settle(h(),e,t,0,r.how,s,o,4294967295,4294967295,a,4294967295,r.tokens,r.cost,r.turns,r.durationMs)))throw this.runtime.
refusal();this.runtime.runs.manualEnded(e,r),this.runtime.carryOut(),this.runtime.expectSound()}bounded(e){let{output:t}=e;
return t.length<=C?e:{...e,output:t.slice(0,Math.max(C,M(this.runtime,"maxResultBytes")+1))}}hostReturned(e,t){let r=ge(
t),{check:s}=e;s===void 0||this.runtime.isClosed?this.settle(e,r):this.settleChecked(e,r,s)}settleChecked(e,t,r){let s=cr(
t,r,M(this.runtime,"maxResultBytes"));s instanceof Promise?this.runtime.alone(s.then(o=>this.settle(e,o))):this.settle(e,
s)}hostThrew(e,t){Te(t);let r=A(t);this.settle(e,st(r,t))}hostIsOver(e){e.settled=!0,this.release(e)}goOnWithout(e){e.hostOpen&&
(this.release(e),this.keepAwake())}release(e){e.hostOpen&&(e.hostOpen=!1,this.openHosts-=1)}keepAwake(){if(this.openHosts>
0||this.runtime.isClosed)return;let e=this.runtime.unasked(t=>t.hasQueued())===!0;this.runtime.isClosed||(this.runtime.keepAlive.
hasQueued(e),this.alarm.hold(e||this.runtime.waits.areOpen))}};function mi(n){return n instanceof Promise&&n.constructor===
Promise&&n.then===Promise.prototype.then}i(mi,"isPlainPromise");var Pt=class{static{i(this,"KeepAlive")}count=0;queued=!1;alarm;manager;constructor(e,t){this.alarm=e,this.manager=t}begin(){
this.count+=1,this.count===1&&this.keep()}end(){this.count-=1,this.count===0&&this.keep()}hasQueued(e){this.queued!==e&&
(this.queued=e,this.keep())}clear(){this.count=0,this.queued=!1,this.keep()}keep(){this.alarm.keeps=this.count>0||this.queued?
this.manager:void 0}};var Et=class{static{i(this,"Pins")}runtime;open=new Map;places=new WeakMap;constructor(e){this.runtime=e}pinAll(e){let t=M(
this.runtime,"retain")<e.length;return e.map(({slot:r,generation:s})=>this.pin(r,s,t))}pin(e,t,r){let s=this.runtime.call(
u=>u.lastRun(e,t)),o={slot:e,generation:t,run:s,taskId:this.runtime.lookup.taskId(e,t)};if(!this.runtime.call(u=>u.isOpen(
e,t,s)))return o.ended=this.read(o),o;r&&(o.begun=this.read(o));let a=this.open.get(e);return a===void 0?this.open.set(e,
[o]):a.push(o),o}hold(e){return this.open.has(e)}ended(e,t,r,s){if(this.open.size===0)return;let o=this.open.get(e);if(o!==
void 0)for(let a of o)a.run===r&&a.generation===t&&(a.ended=this.asEnded(a,s))}retried(e,t,r){for(let s of this.open.get(
e)??[])s.run===r&&s.generation===t&&(s.run+=1)}asEnded(e,t){let r=this.read(e);if(r?.run===e.run)return r;let s=e.begun??
r;return s&&this.kept(e,{...s,...gi(e,t)})}unpin(e){for(let t of e){let r=this.open.get(t.slot)?.filter(s=>s!==t);r!==void 0&&
(r.length===0?this.open.delete(t.slot):this.open.set(t.slot,r))}}told(e,t,r){let s=this.read(e);if(t===as)return{told:t,
view:r||s?.run===e.run?s??e.ended:e.ended??s};let o=typeof t=="string"?t:null,a=s!==void 0&&(s.status==="running"||s.status===
"pending")&&(r||s.run===e.run);return s===void 0||a&&(o===null||s.question===o)?{told:t,view:s}:{told:t,view:this.kept(e,
{...s,...hi,run:e.run,question:o})}}read(e){let{slot:t,generation:r}=e,s=this.runtime.call(o=>o.get(t,r,h()));return s&&
this.kept(e,Ot(s))}kept(e,t){return this.places.set(t,e),t}placeOf(e){return this.places.get(e)}},hi={status:"running",stopReason:null,
output:"",error:null,endedAt:null,durationMs:null,partial:!1,truncated:!1,artifacts:[]};function gi({run:n,begun:e},t){let{
status:r,stopReason:s,output:o,partial:a,truncated:u,hostStillRunning:d,durationMs:l,usage:c}=t,{error:f=null,hostStatus:p=null,
hostTaskId:m=null,artifacts:w,value:y=null}=t,x={status:r,stopReason:s,output:o,partial:a,truncated:u,hostStillRunning:d,
durationMs:l,usage:c,error:f,hostStatus:p,hostTaskId:m},v=Math.floor(h()),S=t.started?e?.startedAt??v-l:null;return{run:n,
...x,startedAt:S,endedAt:v,updatedAt:v,parked:null,question:null,turns:c.turns,artifacts:[...w],value:y}}i(gi,"endOf");function ws(n,{slot:e,generation:t},r,s){let{status:o,stopReason:a,output:u,error:d,hostStatus:l,figures:c}=s,f=n.writeAll(
[u,d??void 0,l??void 0]),[p,m,w]=f;return n.call(y=>y.resultText(e,t,r,V.indexOf(o),T.indexOf(a),c.turns??-1,c.costUsd??
-1,c.durationMs??-1,p,m,w))}i(ws,"endText");var bi=Object.freeze([]),yi=Object.freeze([]);function xs(n){if((n&7)===0)return bi;let e=[];return(n&1)!==0&&e.push("to\
kens"),(n&2)!==0&&e.push("costUsd"),(n&4)!==0&&e.push("turns"),e}i(xs,"dimensions");var ue=class n{static{i(this,"RunRes\
ult")}run;status;stopReason;output;partial;truncated;error;cause;hostStatus;hostTaskId;hostStillRunning;artifacts;value;usage;durationMs;started;raisedBy;#e;#t;constructor(e,t,r,s,o,a,u,d,l,c,f,p,m,w,y){
this.#e=e,this.#t=typeof e=="string"?void 0:e,this.run=typeof e=="string"?0:e.run,this.status=t,this.stopReason=r,this.output=
s,this.partial=f,this.truncated=p,this.error=o?.error,this.cause=o?.cause,this.hostStatus=o?.hostStatus,this.hostTaskId=
o?.hostTaskId??this.#t?.hostTaskId,this.hostStillRunning=m,this.artifacts=o?.artifacts??yi,this.value=o?.valueJson===void 0?
void 0:o.value,this.usage={tokens:a,costUsd:u/1e9,turns:d,unknown:xs(l),invalid:xs(l>>>8)},this.durationMs=c,this.started=
w,this.raisedBy=y}get taskId(){return typeof this.#e!="string"&&(this.#e=this.#e.taskId),this.#e}get success(){return this.
status==="completed"}get backgrounded(){return this.status==="running"||this.status==="pending"}get report(){let e=this.#r;
return Hr(this,e.run===this.run?e.agent:void 0,e.runtime,e)}get text(){let e=this.#r;return e.format==="json"?we(this.report):
ws(e.runtime,e,this.run,this.#n)}get#n(){let{status:e,stopReason:t,output:r,error:s,hostStatus:o}=this;return{status:e,stopReason:t,
output:r,error:s,hostStatus:o,figures:this.figures}}get figures(){return gt(this.usage,this.started,this.durationMs)}get#r(){
return this.#t}toJSON(){let{cause:e,...t}=this;return{taskId:this.taskId,success:this.success,...t}}static movedToBackground(e){
let{runtime:t,slot:r,generation:s}=e;if(!t.call(a=>a.isOpen(r,s,e.run)))return;let o=t.lookup.snapshot(r,s);return o.background&&
!o.cancelRequested?n.of({...o,output:kt(o)},e):void 0}static of(e,t){let r={error:e.error??void 0,hostStatus:e.hostStatus??
void 0,hostTaskId:e.hostTaskId??void 0,artifacts:e.artifacts,value:e.value,valueJson:e.value===null?void 0:""},{runtime:s,
slot:o,generation:a}=t,u=s.call(c=>c.lastEnd(o)),d=s.call(c=>c.raisedBy(o,a))??null,l=new n(e.taskId,V[u%256],T[u>>>8],e.
output,r,e.usage.tokens,e.usage.costUsd*1e9,e.usage.turns,0,e.durationMs??0,e.partial,e.truncated,e.hostStillRunning,e.startedAt!==
null,d);return l.#t=t,Object.assign(l,{run:e.run,usage:e.usage})}};var ki=["timeout","stopped"];function Ss(n,e,t){let{asking:r}=n;n.asking=void 0,r!==void 0&&r.resolve(e===0?{answered:!0,
answer:t}:{answered:!1,reason:ki[e-1]??"stopped"})}i(Ss,"askDone");function Pn(n,e,t){let r=n.call(a=>a.question(e,t)),s=n.
lookup.taskId(e,t),o=`the sub-agent ${s} asks and waits for a message`;return new g("needs_input",r===void 0?o:`${o}: '${P(
r,Be)}'`,{taskId:s,question:r??null})}i(Pn,"needsInput");var wi=1,In=2,xi=4,As=8,Si=16;function En(n,e,t){return`${n} ${e} ${t}`}i(En,"nameOf");var It=class{static{i(this,"Runs")}lives=[];endedOpen=new Map;manualEnds=new Map;runtime;constructor(e){
this.runtime=e}keep(e){this.lives[e.slot]===void 0&&this.runtime.keepAlive.begin(),this.lives[e.slot]=e}startRun(e,t,r,s){
if(this.runtime.isClosed)return;let o=this.find(e,t,r)??this.newLive(e,t,r);if(this.lives[e]!==o&&!this.runtime.call(a=>a.
isOpen(e,t,r))){this.runtime.hosts.settle(o,be());return}this.keep(o),o.knowsTools=s,o.text??=this.runtime.call(a=>a.message(
e)),this.runtime.contexts.run(e,t,()=>this.start(o))}newLive(e,t,r){let s=new q(this.runtime,void 0);return s.slot=e,s.generation=
t,s.run=r,s}start(e){let{gates:t,hosts:r}=this.runtime;t.sub.has("before_start")?t.start(e,()=>r.start(e)):r.start(e)}find(e,t,r){
let s=this.lives[e];return s?.run===r&&s.generation===t?s:void 0}findOpen(e,t,r){return this.find(e,t,r)??this.endedOpen.
get(En(e,t,r))}runEnded(e,t,r,s,o,a,u,d,l,c,f,p,m,w){let{pins:y,scratch:x}=this.runtime,v=w===0?null:x.read(m,w),S=this.
find(e,t,r);if(S?.hostOpen!==!0&&this.runtime.hosts.keepAwake(),S===void 0){if(!y.hold(e))return;let Ue=this.manualEnds.
get(e);this.manualEnds.delete(e);let Ds=(a&As)!==0?x.read(f,p):Ue?.output??"";y.ended(e,t,r,vs("",s,o,a,Ds,Ue,u,d,l,c,v));
return}this.lives[e]=void 0,this.runtime.keepAlive.end(),(a&In)!==0&&(this.endedOpen.set(En(e,t,r),S),this.runtime.hosts.
goOnWithout(S)),S.unfollow?.(),S.agent?.stop(),!S.settled&&!S.hostOpen&&S.abort(T[o]??"never_reported");let Y=(a&In)===0?
S.returned??Ai(S.before):void 0,Ft=(a&As)!==0?x.read(f,p):Y?.output??"";T[o]==="policy"&&(Y={...Y??be(),...this.madeByPolicy(
S)}),S.result=vs(S,s,o,a,Ft,Y,u,d,l,c,v),y.ended(e,t,r,S.result);for(let{resolve:Ue}of S.followers??[])Ue(S.result);S.named?.
resolve();let Le=S.turn;Le!==void 0&&(S.turn=void 0,Le.resolve({go:!1,reason:T[o]??"host_failed"}))}manualEnded(e,t){this.
runtime.pins.hold(e)&&this.manualEnds.set(e,t)}runRetried(e,t,r,s){let{pins:o,sessionData:a,hosts:u}=this.runtime;a.empty(
e,t),o.retried(e,t,r),u.keepAwake();let d=this.find(e,t,r);if(d===void 0)return;d.agent?.stop();let l=T[s]??"host_failed";
d.turn?.resolve({go:!1,reason:l}),d.turn=void 0,this.lives[e]=d.again(l)}madeByPolicy({slot:e,generation:t,agent:r}){if(this.
runtime.call(a=>a.status(e,t))<0){let a=r?.blockedBecause;return{error:a&&Ze(a,M(this.runtime,"maxResultBytes")),artifacts:void 0}}
let{error:s,artifacts:o}=this.runtime.lookup.snapshot(e,t);return{error:s??void 0,artifacts:o}}abortRun(e,t,r,s){let o=this.
findOpen(e,t,r);o!==void 0&&(o.agent?.stop(),this.runtime.contexts.run(e,t,()=>o.abort(T[s]??"cancelled")))}policiesDue(e,t,r,s){
let o=this.findOpen(e,t,r);if(o===void 0)return;let a=T[s];a==="timeout"||a==="idle_timeout"?this.runtime.contexts.run(e,
t,()=>this.runtime.gates.timedOut(o,a)):o.agent?.overdue()}askDone(e,t,r,s,o,a){let u=this.find(e,t,r);u!==void 0&&Ss(u,
s,this.runtime.scratch.read(o,a))}turnReady(e,t,r){let s=this.find(e,t,r);if(s===void 0)return;let o=s.takeStart();if(o!==
void 0){this.runtime.contexts.run(e,t,o);return}let{turn:a}=s;if(a===void 0)return;let u=this.beginTurn(s,a.estimate);u!==
void 0&&(s.turn=void 0,a.resolve(u))}liveOf(e,t){let r=this.lives[e];if(r!==void 0&&r.generation===t)return r;let s=this.
runtime.call(a=>a.lastRun(e,t));if(s===0||!this.runtime.call(a=>a.isOpen(e,t,s)))return;let o=this.newLive(e,t,s);return this.
keep(o),o}takeTurn(e,t){let r=this.beginTurn(e,t),s=r===void 0?new Promise((o,a)=>{e.turn={estimate:t,resolve:o,reject:a}}):
Promise.resolve(r);return this.runtime.carryOut(),s}beginTurn({slot:e,generation:t,run:r},{tokens:s,cost:o}){let a=this.
runtime.call(p=>p.beginTurn(h(),e,t,r,s,o));if(a===0)return;if(a===-1)return{go:!1,reason:"actor_ended"};if(a<0)return{go:!1,
reason:T[-2-a]??"cancelled"};let{turn:u,injects:d,wrapUp:l}=ht(a),c=d?{inject:this.runtime.call(p=>p.takeInject())}:void 0;
if(l===void 0)return{go:!0,turn:u,...c};let f=this.runtime.call(p=>({tokens:p.heldTokens(e),costUsd:p.heldDollars(e)}));
return{go:!0,turn:u,wrapUp:!0,reason:l,...f,...c}}returned({slot:e,generation:t,run:r}){this.endedOpen.size>0&&this.endedOpen.
delete(En(e,t,r))}batchOver(){this.endedOpen.clear()}close(e){for(let t of this.lives)if(t!==void 0){t.turn?.reject(e),t.
turn=void 0,t.asking?.reject(e),t.asking=void 0;for(let{reject:r}of t.followers??[])r(e);t.named?.resolve(),t.unfollow?.(),
t.agent?.stop(),t.abort(e.code==="disposed"&&this.runtime.journal===void 0?"cancelled":"host_lost")}this.lives.length=0,
this.manualEnds.clear()}};function Ai(n){return n&&{...be(),error:n.error,cause:n.cause}}i(Ai,"errorOf");function vs(n,e,t,r,s,o,a,u,d,l,c){
return new ue(n,V[e]??"failed",T[t]??"host_failed",s,o,a,u,d,r>>>8,l,(r&wi)!==0,(r&xi)!==0,(r&In)!==0,(r&Si)===0,c)}i(vs,
"resultOf");var _t=class{static{i(this,"SessionData")}kept=new Map;runtime;constructor(e){this.runtime=e}of(e,t){return this.keptOf(
e,t).values}empty(e,t){let r=this.kept.get(e);r?.generation===t&&r.values.clear()}check(e,t,r){this.keptOf(e,t).check=r}checkOf(e,t){
if(this.kept.size===0)return;let r=this.kept.get(e);return r?.generation===t?r.check:void 0}keptOf(e,t){let r=this.kept.
get(e);if(r?.generation===t)return r;if(this.runtime.call(o=>o.status(e,t))<0)throw new g("forgotten","this sub-agent ha\
s been forgotten");this.runtime.call(o=>o.tellForgotten());let s={generation:t,values:new Map};return this.kept.set(e,s),
s}taskForgotten(e,t){this.kept.size>0&&this.kept.get(e)?.generation===t&&this.kept.delete(e)}clear(){this.kept.clear()}};function Ts(n){let e=n.call(r=>r.claimed()),t=[];for(let r=0;r<e.length;r+=3){let[s,o,a]=e.subarray(r,r+3),u=n.call(d=>d.
deliveryId(s,o,a));t.push({deliveryId:u,taskId:n.lookup.taskId(s,o),run:a})}return t}i(Ts,"claimedEnds");var Os=-2,vi=-3,Rs=-4,Ti="only the waiting was aborted: what was to be stopped is being stopped all the same",Ct=class{static{
i(this,"Waits")}open=[];crowded=new Map;count=0;untilClosed=new Set;runtime;constructor(e){this.runtime=e}get areOpen(){
return this.count>0||this.untilClosed.size>0}waitFor(e,t,r,s){this.runtime.check();let{slot:o,generation:a}=t,u=this.runtime.
runs.liveOf(o,a),d=r===Number.POSITIVE_INFINITY&&e.run===0&&!this.runtime.listeners.listening,l=d?0:h(),c=U(this.runtime),
f;try{f=this.runtime.core.wait(l,e.slot,e.generation,e.run,o,a,r)}catch(m){throw this.runtime.poison(m)}finally{B(c)}if(f===
-1)throw this.runtime.refusal();if(f<0){let m=this.answered(f,t);return this.runtime.carryOut(),m}let p=this.waiting(f,u,
e,s);return d||this.runtime.carryOut(),p}answered(e,t){return e===Rs?this.runtime.answer(void 0):e===vi?this.runtime.answer(
Promise.reject(Pn(this.runtime,t.slot,t.generation))):this.runtime.answer(this.pastResult(t))}waiting(e,t,r,s){return new Promise(
(o,a)=>{this.keep({wait:e,live:t,actor:r,resolve:o,reject:a},s),this.runtime.hosts.keepAwake()})}pastResult({slot:e,generation:t,
latest:r}){let s=this.runtime.call(o=>o.lastRun(e,t));return r.result!==void 0&&(s===0||r.run===s)?r.result:ue.of(this.runtime.
lookup.snapshot(e,t),r)}waitMany(e,t,{all:r,idle:s,timeoutMs:o},a,u){let d=new Uint32Array(t.flatMap(p=>[p.slot,p.generation])),
l=(r?1:0)+(s?2:0),c=this.runtime.call(p=>p.waitMany(h(),e.slot,e.generation,e.run,d,l,o));if(c===-1)throw this.runtime.refusal();
if(c>=0)return this.opened(c,u,void 0,a);let f=a(c===Rs,this.runtime.call(p=>p.told())??[]);return this.runtime.carryOut(),
Promise.resolve(f)}cancel(e,t,r,s,o=Number.NaN,a){return this.settled(u=>u.cancel(h(),e.slot,e.generation,e.run,t,r,T.indexOf(
s),o),a)}settled(e,t){let r=this.runtime.call(e);if(r===-1)throw this.runtime.refusal();let s={acked:Ts(this.runtime)},o=this.
opened(r,t,Ti);return r===Os?Promise.resolve(s):o.then(()=>s)}opened(e,t,r,s){let o=e===Os?Promise.resolve(void 0):new Promise(
(a,u)=>{this.keep({wait:e,live:void 0,read:s,resolve:a,reject:u},t,r),this.runtime.hosts.keepAwake()});return this.runtime.
carryOut(),o}drain(e){this.runtime.act(r=>r.startDrain(h(),e));let t=this.runtime.call(r=>r.drain(h(),e));return this.runtime.
keepAlive.begin(),new Promise((r,s)=>{this.untilClosed.add(s),this.runtime.hosts.keepAwake(),t.then(o=>{this.untilClosed.
delete(s)&&this.runtime.keepAlive.end(),this.runtime.hosts.keepAwake(),r(o)},o=>s(this.runtime.poison(o)))})}keep(e,t,r="\
the wait was aborted; that touches no sub-agent"){let{wait:s}=e,o=ae(s);this.open[o]===void 0?this.open[o]=e:this.crowded.
set(s,e),this.runtime.keepAlive.begin(),this.count+=1,t!==void 0&&this.follow(e,t,r)}take(e){let t=ae(e),r=this.open[t];
if(r?.wait===e)return this.open[t]=void 0,r;if(this.crowded.size===0)return;let s=this.crowded.get(e);return this.crowded.
delete(e),s}done(e,t,r){let s=this.take(e);if(s===void 0)return;this.runtime.keepAlive.end(),this.count-=1,this.runtime.
hosts.keepAwake();let{resolve:o,unfollow:a}=s,u=s.live?.latest;a?.();try{u===void 0?o(s.read===void 0?t:s.read(t,r??[])):
u.result===void 0&&!t?this.endWithout(s,u):o(t?void 0:u.result)}catch(d){s.reject(d)}}endWithout({actor:e,resolve:t,reject:r},s){
let{slot:o,generation:a}=s,{runtime:u}=this;if(u.call(l=>l.question(o,a))!==void 0){t(u.answer(Promise.reject(Pn(u,o,a))));
return}let d=ue.movedToBackground(s);d!==void 0?t(u.answer(d)):e!==void 0&&this.waitFor(e,s,Number.POSITIVE_INFINITY).then(
t,r)}rejectAll(e){for(let t of[...this.open,...this.crowded.values()])t!==void 0&&(t.unfollow?.(),t.reject(e));this.open.
length=0,this.crowded.clear(),this.count=0;for(let t of this.untilClosed)t(e);this.untilClosed.clear()}follow(e,t,r){let{
wait:s}=e,o=ae(s),a=i(()=>{this.open[o]!==e&&this.crowded.get(s)!==e||(delete e.actor,e.reject(new g("aborted",r,{},{cause:t.
reason})),this.runtime.unasked(u=>u.endWait(h(),o,s)),this.runtime.carryOut())},"fire");if(t.aborted){a();return}e.unfollow=
Rn(t,a)}};var Nt=class{static{i(this,"Wakes")}#e;#t=new Map;#n=new Set;#r=new Set;constructor(e){this.#e=e}register(e,t,r){r===void 0?
this.#t.delete(e):this.#t.set(e,{scope:t,onWake:ee(r)})}mark(e){this.#t.has(e)&&(this.#n.size===0&&queueMicrotask(()=>this.#s()),
this.#n.add(e),!this.#r.has(e)&&(this.#r.add(e),this.#e.keepAlive.begin()))}review(){for(let e of this.#r)this.#t.has(e)&&
this.#e.unasked(t=>t.noticesWait(e))===!0||this.#r.delete(e)&&this.#e.keepAlive.end()}clear(){this.#t.clear(),this.#r.clear()}#s(){
let e=this.#n;this.#n=new Set;for(let t of e){let r=this.#t.get(t),s=this.#e.unasked(o=>o.pendingNotices(t));r===void 0||
s===void 0||s===0||(this.#e.tell(()=>r.onWake(r.scope,{pending:s})),this.#e.unasked(o=>o.woken(h(),t)),this.#e.carryOut())}
this.review()}};function js(n){return(typeof n=="string"?n.trim()===""?void 0:JSON.parse(n):n)??{}}i(js,"parsed");function Ps(n,e){let t={...e,call:i((u,d)=>n.answer(e.call(u,d)),"call")},r=Ei({...t.schema},u=>t.check(u)),{name:s,label:o,
description:a}=t;return{name:s,label:o,description:a,parameters:r,inputSchema:r,execute(...u){return u.length>1&&Oi(u[0])?
Ri(t,u):ji(t,u)}}}i(Ps,"toolObject");function Oi(n){return typeof n=="string"&&!/^\s*[{["]/.test(n)}i(Oi,"isCallId");async function Ri(n,e){
let[t,r,s,o]=e,a=typeof o!="function"?void 0:l=>{let c=l(),f={content:[{type:"text",text:c.text}],details:n.detailsOf(c)};
return o(f)},{text:u,details:d}=await n.call(r,{signal:Es(s),toolCallId:t,progress:a});return{content:[{type:"text",text:u}],
details:d}}i(Ri,"calledByPi");function ji(n,e){let t=new _n,r=(async()=>{let[s,o]=e,{signal:a,abortSignal:u,toolCallId:d,
onUpdate:l,writer:c,outputWriter:f}=O("the options of the call",()=>{let y=i(Y=>re(Object(o),Y),"given"),[x,v,S]=[y("sig\
nal"),y("abortSignal"),y("toolCallId")];return{signal:x,abortSignal:v,toolCallId:S,onUpdate:y("onUpdate"),writer:y("writ\
er"),outputWriter:y("outputWriter")}}),p=typeof l=="function"?l:Pi(c,f,d),m=i(y=>(t.push(y),p?.(y())),"progress"),w={signal:Es(
a??u),toolCallId:typeof d=="string"?d:void 0,progress:m};return(await n.call(s,w)).text})();return Object.defineProperty(
r,Symbol.asyncIterator,{value:i(()=>t.until(r),"value")})}i(ji,"called");function Es(n){return Ye("`signal`",n??void 0)}
i(Es,"signalFrom");function Pi(n,e,t){if(typeof n=="function")return r=>n({type:"subagent-progress",toolCallId:t,...r});
if(typeof e=="function")return r=>{Promise.resolve(e({type:"data-subagent-progress",data:{toolCallId:t,...r}})).catch(()=>{})}}
i(Pi,"sinkOf");var _n=class{static{i(this,"Updates")}newest=void 0;count=0;due=0;isRead=!1;timer=void 0;waiting=[];push(e){
this.newest=e,this.count+=1,this.isRead&&this.arm()}arm(){this.timer??=setTimeout(()=>{this.timer=void 0,this.due=this.count,
this.wake()},0)}wake(){for(let e of this.waiting.splice(0))e()}async*until(e){this.isRead=!0,this.count>this.due&&this.arm();
let t=!1,r=0,s=i(()=>{t=!0,clearTimeout(this.timer),this.wake()},"end");for(e.then(s,s);;)if(this.newest!==void 0&&this.
due>r)r=this.due,yield this.newest().text;else{if(t)break;await new Promise(o=>{this.waiting.push(o)})}yield await e}};function Ei(n,e){
let t=i(()=>structuredClone(n),"plain");return Object.defineProperty(n,"~standard",{enumerable:!1,value:{version:1,vendor:"\
subagents",validate(r){let s=e(r);return"params"in s?{value:js(r)}:{issues:s.mistakes.map(o=>({message:o}))}},jsonSchema:{
input:t,output:t}}})}i(Ei,"withStandard");function Is(n){return n===void 0?"Send it a message to answer.":`${n} answers it.`}i(Is,"howToAnswer");function De(n,e,t,r){if(t===void 0)return r.text;try{let s=t(r);if(typeof s=="string"&&s!=="")return s;n.report(b(`what \
\`texts.${e}\` returns`,"a text that is not empty",s))}catch(s){n.report(s)}return r.text}i(De,"said");function Cn(n,{taskId:e,hostTaskId:t}){if(t===null)return e;let r=n.write(e),s=n.call(u=>u.find(0,0,0,r));if(s<0)return e;
let{slot:o,generation:a}=W(s);return n.call(u=>u.toldId(o,a))}i(Cn,"idTold");var $t=class{static{i(this,"Answers")}runtime;options;others;constructor(e,t,r){this.runtime=e,this.options=t,this.others=
r}refused(e,t,r=_i(t)){let s=`No sub-agent was started: ${e}`,{texts:o}=this,a=r===void 0?De(this.runtime,"refused",o?.refused,
{reason:e,text:s}):De(this.runtime,"limitReached",o?.limitReached,{...r,text:s}),u=this.detailsOfNone(t),{taskId:d,status:l}=u;
return{text:this.told(a,d||null,l,a),details:u}}reported(e){let t=this.detailsOfNone();return{text:this.isJson&&mn(e)===
void 0?we({...bt(null,"refused",null),output:e}):e,details:t}}started(e,t){let{taskId:r,hostTaskId:s,slot:o,generation:a}=e,
{collect:u}=this.others,d=this.runtime.call(x=>x.toldId(o,a)),l=e.snapshot(),{label:c}=l,f=Cs(l),p=`${kt({label:c,taskId:d})}${u===
void 0?"":` ${u} gets its result.`}`,m=De(this.runtime,"started",this.texts?.started,{id:d,taskId:r,hostTaskId:s,label:c,
text:p}),w=this.told(m,r,f),y={taskId:r,background:!0,status:f,durationMs:null,turns:null,cost:null};return s!==void 0&&
(y.hostTaskId=s),{text:w,details:this.withModel(y,t)}}startedBefore(e){let{taskId:t,status:r,label:s,modelId:o}=e,a=`Sub\
agent [${P(s,ne)}] was started before (id: ${Cn(this.runtime,e)}); it is ${r}.`;return{text:this.told(a,t,r),details:this.
withModel(_s(e,!0,r),o??void 0)}}goesOn(e){let t=Cs(e),r=`The call was aborted; sub-agent ${Cn(this.runtime,e)}, which w\
as started before, goes on.`;return{text:this.told(r,e.taskId,t),details:this.withModel(_s(e,!1,t),e.modelId??void 0)}}asked(e,t,r){
let{slot:s,generation:o,taskId:a}=e,d=`${t===void 0?`Subagent [${P(e.brief().label,ne)}] (id: ${this.runtime.call(f=>f.toldId(
s,o))}) asked, and has been answered meanwhile.`:`${t}
${Is(this.others.answer)}`} It goes on in the background; I'll notify you when it completes.`,l=this.isJson?we({...bt(a,
"running",null),output:d}):d,c={taskId:a,background:!0,status:"running",durationMs:null,turns:null,cost:null};return{text:l,
details:this.withModel(c,r)}}ended(e,t,r){let{status:s,hostStatus:o}=t,{turns:a,costUsd:u,durationMs:d}=t.figures,{rest:l}=this.
others,f=l!==void 0&&!this.isJson&&this.runtime.write(t.output)>M(this.runtime,"inlineBytes")?`${t.text}
${l} shows what was left out.`:t.text,p={taskId:e.taskId,background:e.background,status:s,durationMs:d,turns:a,cost:u};t.
hostTaskId!==void 0&&(p.hostTaskId=t.hostTaskId),o!==void 0&&(p.hostStatus=o),t.artifacts.length>0&&(p.artifacts=t.artifacts);
let m=s==="completed"?"completed":"failed",w=this.texts?.[m];return{text:w===void 0?f:De(this.runtime,m,w,this.factsOf(e,
t,p,f)),details:this.withModel(p,r)}}forgotten(e,t){let{taskId:r,background:s}=e,o="forgotten",a=`Sub-agent ${r} was end\
ed before it had done anything, and has been forgotten.`,u={taskId:r,background:s,status:o,durationMs:null,turns:null,cost:null};
return{text:this.told(a,r,o,a),details:this.withModel(u,t)}}detailsOfNone(e){let t=e?.code==="idempotency_forgotten",r=t?
e.details.taskId:"",s=t?"forgotten":"refused";return this.withModel({taskId:r,background:!1,status:s,durationMs:null,turns:null,
cost:null})}get texts(){return this.isJson?void 0:this.options.texts}get isJson(){return this.options.format==="json"}told(e,t,r,s=null){
return this.isJson?we(bt(t,r,s)):e}factsOf(e,t,{turns:r,cost:s,durationMs:o},a){let{taskId:u,slot:d,generation:l}=e,{hostTaskId:c,
status:f,stopReason:p,output:m}=t,w=this.runtime.call(S=>S.toldId(d,l)),y=Ii(e),x=a.indexOf(`
`),v=x<0?"":a.slice(x+1);return{id:w,taskId:u,hostTaskId:c,label:y,status:f,stopReason:p,turns:r,cost:s,durationMs:o,output:m,
fenced:v,text:a}}withModel(e,t){try{let r=t??this.runtime.functions.getModelId?.();return typeof r=="string"?{...e,modelId:r}:
e}catch{return e}}};function _s(n,e,t){return{...Ni(n),taskId:n.taskId,background:e,status:t,durationMs:null,turns:null,
cost:null}}i(_s,"openDetails");function Cs({status:n}){return n==="pending"?"pending":"running"}i(Cs,"underWay");function te(n){
return qt(n)&&n.code!=="disposed"&&n.code!=="internal"}i(te,"isRefusal");function Ii(n){try{return n.brief().label}catch(e){
if(te(e))return"";throw e}}i(Ii,"labelOf");function _i(n){if(n===void 0||!Ci.has(n.code))return;let{active:e,limit:t}=n.
details;return{active:e,limit:t}}i(_i,"fullBy");var Ci=new Set(["concurrency_limit","queue_full","children_limit","tasks\
_limit","abandoned_limit"]);function Ni({hostTaskId:n}){return n===null?{}:{hostTaskId:n}}i(Ni,"hostIdOf");function Ns(n){let e=0,t="";return(r,s)=>{e=s.turn??e,t=s.message??t;let o={turn:e,message:t};r.runtime.tell(()=>{let{label:a}=r.
brief();return n(()=>$i({taskId:r.taskId,label:a,...o}))})}}i(Ns,"watcher");function $i(n){let{label:e,turn:t,message:r}=n,
s=t===0?"has started":`is at turn ${t}`,o=`[${P(e,ne)}] ${s}${r===""?"":`: ${P(r,Be)}`}`;return{...n,text:o}}i($i,"progr\
essOf");var Mt=class{static{i(this,"SpawnCall")}runtime;actor;options;answers;isAlone;constructor(e,t,r,s={},o=!1){this.isAlone=
o,this.runtime=e,this.actor=t,this.options=Object.assign(Object.create(null),r),this.answers=new $t(e,this.options,s)}async run(e,t){
this.runtime.check();let{onDetails:r}=this.options;if(r===void 0)return this.answer(e,t);let s=await this.runtime.answer(
this.answer(e,t));return this.runtime.tell(()=>r(s.details,t.toolCallId)),s}async answer(e,t){let{signal:r,toolCallId:s,
progress:o}=t;if("mistakes"in e)return this.answers.refused(`${e.mistakes.join("; ")}. Correct the arguments and call ag\
ain.`);let a=this.hostLimit();if(a!==void 0){let{instructions:x}=e.params;return this.runtime.refusals.tell("spawn",this.
actor,x,new g("spawn_denied",a.why)),this.answers.refused(a.why,void 0,a.full)}if(r?.aborted===!0)return this.answers.refused(
"the call was aborted before it began.");let{params:u,checked:d}=e,l,c,{backgroundTimeoutMs:f}=this.options,[p,m,w]=[this.
keyOf(s,u),this.originOf(),this.metadataOf(s,u)];try{let x=J("what `idempotencyKey` returns",p),v={...d,...x!==void 0&&{
idempotencyKey:x},...m!==void 0&&{origin:m},...w!==void 0&&{metadata:w}};c=Ce(v,this.runtime,!0),c.background&&f!==void 0&&
(c=Ce({...v,timeoutMs:f},this.runtime,!0)),c.signal=r,c.answers=this.answerers,this.options.format==="json"&&(ft(c).json=
!0),o!==void 0&&!c.background&&(c.watch=Ns(o)),l=ps(this.runtime,this.actor,c,u)}catch(x){if(te(x))return typeof x.details.
report=="string"?this.answers.reported(x.details.report):this.answers.refused(`${Ki(He(x))}${Fi(x.code)}`,x);throw x}let y=c.
staged?.modelId??this.modelOf(l);try{return c.repeated===!0?await this.repeated(l,c.background,r):c.background?(await(l.
named&&Mn(l.named.promise,M(this.runtime,"graceMs"))),this.runtime.check(),Mi(r)||this.isAlone&&l.result?.success===!1?await this.
outcome(l,y):this.movedOn(l,y)):await this.outcome(l,y)}catch(x){if(te(x)&&l.result!==void 0)return this.answers.ended(l,
l.result,y);if(te(x)&&x.code==="forgotten")return this.answers.forgotten(l,y);throw x}}async outcome(e,t){try{let r=await this.
runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY);return r.backgrounded?this.movedOn(e,t):this.answers.ended(
e,r,t)}catch(r){if(te(r)&&r.code==="needs_input")return this.asks(e,t);throw r}}keyOf(e,t){let{idempotencyKey:r}=this.options;
return r===void 0?void 0:r(e,t)}metadataOf(e,t){let{metadata:r}=this.options;return typeof r=="function"?r(e,t):r}originOf(){
let{origin:e}=this.options;return typeof e=="function"?e():e}async repeated(e,t,r){let s=this.runtime.lookup.snapshot(e.
slot,e.generation),o=s.modelId??void 0;if(t)return this.answers.startedBefore(s);try{let a=await this.runtime.waits.waitFor(
this.actor,e,Number.POSITIVE_INFINITY,r);return a.backgrounded?this.answers.started(e,o):this.answers.ended(e,a,o)}catch(a){
if(te(a)&&a.code==="needs_input")return this.asks(e,o);if(!(te(a)&&a.code==="aborted"))throw a;return this.answers.goesOn(
s)}}get answerers(){let{canAnswer:e}=this.options;return e===void 0?16:e?0:32}async asks(e,t){let{slot:r,generation:s}=e,
{actor:o}=this,a=this.runtime.call(d=>d.questionText(r,s));return this.runtime.act(d=>d.moveToBackground(h(),o.slot,o.generation,
o.run,r,s))?(this.letGoOfCall(e),this.answers.asked(e,a,t)):this.outcome(e,t)}movedOn(e,t){return this.letGoOfCall(e),this.
answers.started(e,t)}letGoOfCall(e){e.unfollow?.(),e.unfollow=void 0}hostLimit(){let{canSpawn:e,getConcurrencyInfo:t}=this.
runtime.functions;if(e!==void 0)try{if(e()===!0)return;let r=t?.();return{why:`${r===void 0?"the limit of sub-agents is \
reached":`${r.active} of ${r.limit} sub-agents are running`}. Wait until one ends, or do the work yourself.`,full:{active:r?.
active,limit:r?.limit}}}catch(r){return{why:`the host could not say whether a sub-agent may start: ${P(A(r),We)}.`}}}modelOf({
slot:e,generation:t}){return this.runtime.isClosed?void 0:this.runtime.call(r=>r.modelId(e,t))}};function Mi(n){return n?.
aborted===!0}i(Mi,"hasFired");function Ki(n){return/[.!?…]$/u.test(n)?n:`${n}.`}i(Ki,"sentence");function Fi(n){return[
"concurrency_limit","queue_full","children_limit"].includes(n)?" Wait until one ends, or do the work yourself.":["budget\
_exhausted","depth_limit","draining","abandoned_limit","tasks_limit"].includes(n)?" Do the work yourself.":""}i(Fi,"advi\
ceOn");function $s(n,e=[]){try{return Di(typeof n=="string"?JSON.parse(n):n,e)}catch(t){return{mistakes:[`the arguments can't b\
e read: ${P(A(t),We)}`]}}}i($s,"checkArguments");function Di(n,e){if(typeof n!="object"||n===null||Array.isArray(n))return{
mistakes:[`the arguments must be an object with \`instructions\`, got ${k(n)}`]};let t=[],r=i(m=>re(n,m),"given"),[s,o]=[
r("instructions"),r("systemPrompt")],[a,u,d]=[r("maxTurns"),r("maxCost"),r("background")],l=e.length>0?r("agent"):void 0,
c=Li(r("tools")),f=i((m,w,y)=>{t.push(`\`${m}\` must be ${w}, got ${k(y)}`)},"wrong");if((typeof s!="string"||s.trim()===
"")&&f("instructions","a text that says the whole task",s),!de(c)&&!(Array.isArray(c)&&c.every(m=>typeof m=="string"))&&
f("tools","a list of tool names",c),!de(o)&&typeof o!="string"&&f("systemPrompt","a text",o),!de(a)&&!(Number.isInteger(
a)&&a>=1)&&f("maxTurns","a whole number of at least 1",a),!de(u)&&!(typeof u=="number"&&u>0&&u<Number.POSITIVE_INFINITY)&&
f("maxCost","a number of US dollars above 0",u),!de(d)&&typeof d!="boolean"&&f("background","true or false",d),!de(l)&&!(typeof l==
"string"&&e.includes(l))&&f("agent",`one of ${e.join(", ")}`,l),t.length>0)return{mistakes:t};let p=Object.entries({instructions:s,
tools:c,systemPrompt:o,maxTurns:a,maxCost:u,background:d,agent:l}).filter(([,m])=>!de(m));return{params:n,checked:Object.
fromEntries(p)}}i(Di,"check");function Li(n){return Array.isArray(n)?Qn("`tools`",n):n}i(Li,"listOf");function de(n){return n==
null}i(de,"absent");function Ms(n,e){return Ui(n,Ke,{},e)}i(Ms,"makeTool");function Ui(n,e,t,r,s=!1){let{names:o,descriptions:a}=n.agents,u=Bi(
r.parameters,o),d=o.length===0?r.description:`${r.description}

What \`agent\` may name:
${a}`,l=i(c=>$s(c,o),"check");return Wi(new Mt(n,e,t,{},s),{name:r.name,description:d,schema:u,check:l})}i(Ui,"assemble");
function Bi(n,e){if(e.length===0)return{...n};let t={type:"string",enum:e,description:"The kind of sub-agent to use. Lea\
ve it out for a general one."};return{...n,properties:{...n.properties,agent:t}}}i(Bi,"withAgents");function Wi(n,e,t){let{
name:r,description:s,schema:o,check:a}=e;return Ps(n.runtime,{name:r,label:"Sub-agent",description:s,schema:o,check:i(u=>a(
u),"check"),async call(u,d){let l=a(u);return await t?.(l,d)??n.run(l,d)},detailsOf:i(({taskId:u,turn:d})=>({taskId:u,background:!1,
status:"running",durationMs:null,turns:d,cost:null}),"detailsOf")})}i(Wi,"spawnTool");var Kt=class{static{i(this,"Runtime")}host;door;core;functions;agents=new ye(void 0);profiles=new ke(void 0);gates;journal=void 0;seeded=!1;idKey=void 0;scratch;runs=new It(
this);hosts;waits=new Ct(this);lookup=new Tt(this);listeners;refusals=new St(this);sessionData=new _t(this);contexts=new ut;pins=new Et(
this);wakes=new Nt(this);signals=new vt;keepAlive;alarm;runMaker;closed;constructor(e,t,r){this.functions=t,this.runMaker=
r,this.door=new wt(this),this.alarm=new le(Gi(ve(this.door))),this.keepAlive=new Pt(this.alarm,this),this.host=ss(this,this.
door,this.alarm),this.core=new e.SubAgentCore(this.host),e.onFailure=s=>this.poison(s),this.scratch=new Ve(this.core,e.memory),
this.hosts=new jt(this,this.scratch,this.alarm),this.listeners=new xt(this,this.scratch),this.gates=new Se(this,{},{})}check(){
if(this.closed!==void 0)throw this.closed}get isClosed(){return this.closed!==void 0}get isDisposed(){return this.closed?.
code==="disposed"}call(e){this.check();let t=U(this);try{return e(this.core)}catch(r){throw this.poison(r)}finally{B(t)}}carryOut(){
if(this.closed!==void 0)return;if(this.journal?.isSync===!0){this.journal.carryOut();return}let e=U(this);try{this.core.
carryOut()}catch(t){this.poison(t)}finally{B(e)}}act(e){let t=this.call(e);return this.carryOut(),this.expectSound(),t}order(e){
if(!this.call(e))throw this.refusal();this.carryOut(),this.expectSound()}expectSound(){if(this.closed!==void 0&&!this.isDisposed)
throw this.closed}unasked(e){if(this.closed!==void 0)return;let t=U(this);try{return e(this.core)}catch(r){this.poison(r);
return}finally{B(t)}}alone(e){e.catch(t=>{t!==this.closed&&this.report(t)})}refusal(){let{code:e,message:t,told:r,details:s}=this.
call(o=>o.refusal());return this.carryOut(),Je(new g(e,t,s),r)}ask(e){if(!this.call(e))throw this.refusal()}together(e){
if(this.journal?.isSync===!0)return this.journal.together(e);let t=this.call(r=>r.hold());try{return e()}finally{t&&this.
call(r=>r.goOn())}}answer(e){return this.journal===void 0?Promise.resolve(e):this.journal.answer(e)}onceKept(e){this.journal?.
isSync===!0?this.alone(this.journal.answer(void 0).then(e)):e()}write(e){try{return this.scratch.write(e)}catch(t){throw this.
poison(t)}}writeAll(e){try{return this.scratch.writeAll(e)}catch(t){throw this.poison(t)}}wakeAt(e){this.isClosed||(this.
alarm.set(e),this.hosts.keepAwake())}tick(){this.unasked(e=>e.tick(h())),this.carryOut(),this.wakes.review(),this.hosts.
keepAwake(),this.runs.batchOver()}makeRun(e){return this.runMaker(this,e)}consumerGate(e){return jn(this,e)}makeTool(e){
return Ms(this,e)}startsStopped(e){if(this.functions.onError===void 0)return;let t=`${e} abandoned host functions are st\
ill running, so nothing starts until one returns; \`maxAbandoned\` raises it`;this.report(new g("abandoned_limit",t,{limit:e,
option:"maxAbandoned"}))}report(e){Te(e);let{onError:t}=this.functions;t===void 0?wn(e):xn(()=>t(e),wn)}tell(e){xn(e,t=>this.
report(t))}dispose(){this.end(new g("disposed","the manager has been disposed"))}fail(e){this.end(e),this.report(e)}end(e){
if(this.closed===void 0){this.journal!==void 0&&this.unasked(t=>t.setAside()),this.close(e),An(this);try{this.idKey=this.
core.idKey(),this.core.dispose()}catch{}this.letGo()}}letGo(){if(is()){queueMicrotask(()=>this.letGo());return}this.scratch.
letGo(),this.core=void 0}poison(e){if(this.closed===void 0){let t=new g("internal",`the manager's core failed: ${A(e)}`);
this.close(t),An(this),this.core.__destroy_into_raw(),this.letGo()}return this.closed}close(e){this.closed=e,this.journal?.
close(e),this.alarm.stop(),this.keepAlive.clear(),this.runs.close(e),this.gates.close(),this.waits.rejectAll(e),this.listeners.
clear(),this.refusals.clear(),this.sessionData.clear(),this.contexts.clear(),this.hosts.elsewhere.clear(),this.wakes.clear(),
this.signals.clear()}};function Gi(n){return()=>n.deref()?.runtime?.tick()}i(Gi,"tickThrough");var Ks=["spawnSubAgent","spawnBackgroundSubAgent","checkConsumerSpawn","canSpawn","getConcurrencyInfo","getModelId","onE\
rror","countTokens","onWake"],Ji=["agents","bus","mainLimits","modelId","policies","preset","profiles","retry","tools"];
function Fs(n,e,t,r){let{functions:s,bounds:o,settings:a,tools:u,agents:d,profiles:l,policies:c,mainLimits:f,bus:p}=O("t\
he options of a manager",()=>Hi(e)),m=new Kt(n,s,t);m.agents=d,m.profiles=l,p!==void 0&&(m.functions.onWake=ts(p,w=>{m.isClosed||
m.report(w)},w=>m.onceKept(w)));try{r?.begin(m),o.apply(m,a),m.gates=new Se(m,c,f),m.contexts.matter&&m.call(y=>y.tellForgotten());
let{blockedTools:w}=m.gates.sub;w.length>0&&m.order(y=>y.blockTools(h(),[...w])),u!==void 0&&m.order(y=>y.setTools(h(),y.
defaultSession(),u))}catch(w){throw m.dispose(),w}return m}i(Fs,"open");function Hi(n){let e=R("the options of a manager",
n),t={},r=new mt,s={},o,a=new ye(e.agents),u=new ke(e.profiles),d={},l,c={};for(let[f,p]of Object.entries(e))if(!(p===void 0||
f==="agents"||f==="profiles")){if(Ks.includes(f)){if(typeof p!="function")throw b(`\`${f}\``,"a function",p);t[f]=f==="o\
nWake"?ee(p):p}else if(!r.take(f,p))if(f==="retry")s.retry=lt(f,p);else if(f==="bus"){if(e.onWake!==void 0)throw X("`bus\
` and `onWake`",f);l=ns(p)}else if(f==="modelId"){let m=J("`modelId`",p);if(e.getModelId!==void 0)throw X("`modelId` and\
 `getModelId`",f);t.getModelId=()=>m}else if(f==="tools")o=Q("`tools`",p);else if(f==="policies")d=Vi(p);else if(f==="ma\
inLimits")c=qi("mainLimits",p);else throw Oe("a manager",f,[...Ks,...Br,...Ji])}return a.checkProfiles(u),{functions:t,bounds:r,
settings:s,tools:o,agents:a,profiles:u,policies:d,mainLimits:c,bus:l}}i(Hi,"read");function Vi(n){if(Array.isArray(n))throw b(
"`policies`","an object with subAgents or main",n);let{subAgents:e,main:t,...r}=R("`policies`",n);return G("policies",r,
["subAgents","main"]),{...e!==void 0&&{subAgents:e},...t!==void 0&&{main:t}}}i(Vi,"policySets");function qi(n,e){let{maxTurns:t,
maxContextTokens:r,timeoutMs:s,...o}=R(`\`${n}\``,e);G(n,o,["maxTurns","maxContextTokens","timeoutMs"]);let a={},u=N(`\`${n}\
.maxTurns\``,t),d=N(`\`${n}.maxContextTokens\``,r),l=Qe(`\`${n}.timeoutMs\``,s);return u!==void 0&&(a.maxTurns=u),d!==void 0&&
(a.maxContextTokens=d),l!==void 0&&(a.timeoutMs=l),a}i(qi,"mainLimitsOf");function xm(n,e){return Fs(n,e,(t,r)=>new at(t,r))}i(xm,"open");export{wt as Door,as as ENDED,Cl as MOVED,_l as PENDING,yl as abortRun,Ol as askDone,ss as attach,El as consumerGate,U as enter,
Pl as facts,is as isInside,B as leave,Il as makeTool,xm as open,Al as policiesDue,An as release,jl as runEnded,bl as runRetried,
gl as startRun,vl as startsStopped,xl as taskClosed,wl as taskForgotten,kl as turnReady,Rl as waitDone,Tl as wakeAt,Sl as wakeSession};
